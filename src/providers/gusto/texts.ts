import type { ProviderTexts } from "../contract.ts";
import type { Recipe } from "../recipe.ts";

/** What a person reads when the sign-in cannot go on. */
export const explanations = {
  none: "No company was approved. Please continue to Gusto again and choose the one to connect.",
  another:
    "This is another company than the one that is connected. Please choose the same one at Gusto.",
  noRight:
    "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.",
};

/** Nothing is typed here, but who is not an administrator would go to Gusto and back for nothing. */
export const approvalRecipe: Recipe = {
  title: "What do I need in Gusto?",
  steps: [
    {
      text: "You need to be the primary administrator of the company in Gusto, or an administrator with full access. The login of an accountant is not enough.",
    },
    { text: "Continue here, and sign in on Gusto’s own page." },
    {
      text: "If you manage several companies, choose the one to connect. Then approve the access.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 1, y: 0, width: 12, height: 1, look: "text" },
        { x: 1, y: 1, width: 14, height: 1, look: "field", label: "Example Inc.", isMarked: true },
        { x: 1, y: 3, width: 7, height: 1, look: "button" },
        { x: 9, y: 3, width: 5, height: 1, look: "button" },
      ],
    },
  ],
  rights: ["One access reads one company. To connect another one, come here once more."],
  ending: [
    "Gusto lists the apps that are connected to the company. Remove this one there, at any time.",
  ],
};

const [admin, onward, choose] = approvalRecipe.steps.map(({ text }) => text) as [
  string,
  string,
  string,
];
const [rights] = approvalRecipe.rights as [string];
const [ending] = approvalRecipe.ending as [string];

/** The same in other languages. */
export const texts: ProviderTexts = {
  de: {
    [explanations.none]:
      "Es wurde keine Firma freigegeben. Bitte gehen Sie noch einmal zu Gusto und wählen Sie die aus, die verbunden werden soll.",
    [explanations.another]:
      "Dies ist eine andere Firma als die verbundene. Bitte wählen Sie bei Gusto dieselbe aus.",
    [explanations.noRight]:
      "Von dieser Firma darf nichts gelesen werden. Bitte stimmen Sie als ihr Hauptadministrator zu, oder als einer mit vollem Zugriff.",
    [approvalRecipe.title]: "Was brauche ich in Gusto?",
    [admin]:
      "Sie müssen in Gusto Hauptadministrator der Firma sein, oder ein Administrator mit vollem Zugriff. Die Anmeldung eines Buchhalters genügt nicht.",
    [onward]: "Fahren Sie hier fort und melden Sie sich auf der Seite von Gusto an.",
    [choose]:
      "Wenn Sie mehrere Firmen verwalten, wählen Sie die aus, die verbunden werden soll. Stimmen Sie dann dem Zugriff zu.",
    "Example Inc.": "Beispiel Inc.",
    [rights]:
      "Ein Zugriff liest eine Firma. Um eine weitere zu verbinden, kommen Sie noch einmal hierher.",
    [ending]:
      "Gusto zeigt die Apps an, die mit der Firma verbunden sind. Entfernen Sie diese dort, wann immer Sie möchten.",
  },
  es: {
    [explanations.none]:
      "No se ha autorizado ninguna empresa. Vuelva a Gusto y elija la que quiere conectar.",
    [explanations.another]: "Esta no es la empresa conectada. Elija la misma en Gusto.",
    [explanations.noRight]:
      "No se puede leer nada de esta empresa. Apruebe el acceso como su administrador principal, o como uno con acceso completo.",
    [approvalRecipe.title]: "¿Qué necesito en Gusto?",
    [admin]:
      "Debe ser el administrador principal de la empresa en Gusto, o un administrador con acceso completo. El usuario de un contable no basta.",
    [onward]: "Continúe aquí e inicie sesión en la página de Gusto.",
    [choose]:
      "Si administra varias empresas, elija la que quiere conectar. Después, apruebe el acceso.",
    "Example Inc.": "Ejemplo Inc.",
    [rights]: "Un acceso lee una empresa. Para conectar otra, vuelva aquí de nuevo.",
    [ending]:
      "Gusto muestra las aplicaciones conectadas a la empresa. Quite esta allí cuando quiera.",
  },
  fr: {
    [explanations.none]:
      "Aucune entreprise n’a été autorisée. Retournez sur Gusto et choisissez celle à connecter.",
    [explanations.another]:
      "Cette entreprise n’est pas celle qui est connectée. Choisissez la même sur Gusto.",
    [explanations.noRight]:
      "Rien de cette entreprise ne peut être lu. Approuvez l’accès en tant qu’administrateur principal, ou avec un accès complet.",
    [approvalRecipe.title]: "De quoi ai-je besoin dans Gusto ?",
    [admin]:
      "Vous devez être l’administrateur principal de l’entreprise dans Gusto, ou un administrateur avec un accès complet. L’identifiant d’un comptable ne suffit pas.",
    [onward]: "Continuez ici et connectez-vous sur la page de Gusto.",
    [choose]:
      "Si vous gérez plusieurs entreprises, choisissez celle à connecter. Approuvez ensuite l’accès.",
    "Example Inc.": "Exemple Inc.",
    [rights]: "Un accès lit une entreprise. Pour en connecter une autre, revenez ici.",
    [ending]:
      "Gusto affiche les applications connectées à l’entreprise. Retirez-y celle-ci à tout moment.",
  },
};
