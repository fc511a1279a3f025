import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipes say, in other languages. */
export const recipeTexts: RecipeTexts = {
  "What do I need in Gusto?": {
    de: "Was brauche ich in Gusto?",
    es: "¿Qué necesito en Gusto?",
    fr: "De quoi ai-je besoin dans Gusto ?",
  },
  "You need to be the primary administrator of the company in Gusto, or an administrator with full access. The login of an accountant is not enough.":
    {
      de: "Sie müssen in Gusto Hauptadministrator der Firma sein, oder ein Administrator mit vollem Zugriff. Die Anmeldung eines Buchhalters genügt nicht.",
      es: "Debe ser el administrador principal de la empresa en Gusto, o un administrador con acceso completo. El usuario de un contable no basta.",
      fr: "Vous devez être l’administrateur principal de l’entreprise dans Gusto, ou un administrateur avec un accès complet. L’identifiant d’un comptable ne suffit pas.",
    },
  "Continue here, and sign in on Gusto’s own page.": {
    de: "Fahren Sie hier fort und melden Sie sich auf der Seite von Gusto an.",
    es: "Continúe aquí e inicie sesión en la página de Gusto.",
    fr: "Continuez ici et connectez-vous sur la page de Gusto.",
  },
  "If you manage several companies, choose the one to connect. Then approve the access.": {
    de: "Wenn Sie mehrere Firmen verwalten, wählen Sie die aus, die verbunden werden soll. Stimmen Sie dann dem Zugriff zu.",
    es: "Si administra varias empresas, elija la que quiere conectar. Después, apruebe el acceso.",
    fr: "Si vous gérez plusieurs entreprises, choisissez celle à connecter. Approuvez ensuite l’accès.",
  },
  "Example Inc.": { de: "Beispiel Inc.", es: "Ejemplo Inc.", fr: "Exemple Inc." },
  "One access reads one company. To connect another one, come here once more.": {
    de: "Ein Zugriff liest eine Firma. Um eine weitere zu verbinden, kommen Sie noch einmal hierher.",
    es: "Un acceso lee una empresa. Para conectar otra, vuelva aquí de nuevo.",
    fr: "Un accès lit une entreprise. Pour en connecter une autre, revenez ici.",
  },
  "Gusto lists the apps that are connected to the company. Remove this one there, at any time.": {
    de: "Gusto zeigt die Apps an, die mit der Firma verbunden sind. Entfernen Sie diese dort, wann immer Sie möchten.",
    es: "Gusto muestra las aplicaciones conectadas a la empresa. Quite esta allí cuando quiera.",
    fr: "Gusto affiche les applications connectées à l’entreprise. Retirez-y celle-ci à tout moment.",
  },
};
