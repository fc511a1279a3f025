import { textsOf } from "../kit/said.ts";
import type { Recipe } from "../recipe.ts";

/** What somebody reads whose access is not the one that is needed. */
export const explanations = {
  other:
    "This is another company than the one that is connected. Please use the same one as before.",
  person:
    "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.",
};

/** What this adapter says, in English and in other languages. */
export const said = {
  help: {
    en: "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.",
    de: "Administratoren erstellen ihn in Factorial. Er öffnet alles im Unternehmen und läuft nie von selbst ab.",
    es: "Los administradores la crean en Factorial. Da acceso a todo lo de la empresa y nunca caduca por sí sola.",
    fr: "Les administrateurs la créent dans Factorial. Elle ouvre tout ce qui est à l’entreprise et n’expire jamais d’elle-même.",
  },
  other: {
    en: explanations.other,
    de: "Dies ist ein anderes Unternehmen als das verbundene. Bitte verwenden Sie dasselbe wie zuvor.",
    es: "Esta no es la empresa conectada. Utilice la misma que antes.",
    fr: "Cette entreprise n’est pas celle qui est connectée. Utilisez la même que précédemment.",
  },
  person: {
    en: explanations.person,
    de: "Dieser Zugriff zeigt nur, was eine einzelne Person sehen darf. Bitte melden Sie sich bei Factorial mit Administratorrechten an und genehmigen Sie ihn für das Unternehmen.",
    es: "Este acceso solo muestra lo que puede ver una persona. Inicie sesión en Factorial como administrador y apruébelo para la empresa.",
    fr: "Cet accès ne montre que ce qu’une personne peut voir. Connectez-vous à Factorial en tant qu’administrateur et approuvez-le pour l’entreprise.",
  },
  where: {
    en: "Where do I find the API key?",
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  menu: {
    en: "Sign in to Factorial as an administrator, open “Configuration” and choose “API”.",
    de: "Melden Sie sich bei Factorial mit Administratorrechten an, öffnen Sie „Konfiguration“ und wählen Sie „API“.",
    es: "Inicie sesión en Factorial como administrador, abra «Configuración» y elija «API».",
    fr: "Connectez-vous à Factorial en tant qu’administrateur, ouvrez « Configuration » et choisissez « API ».",
  },
  configuration: {
    en: "Configuration",
    de: "Konfiguration",
    es: "Configuración",
    fr: "Configuration",
  },
  api: { en: "API", de: "API", es: "API", fr: "API" },
  make: {
    en: "Make a key for this alone, so that it can be deleted alone. Copy it and paste it here.",
    de: "Erstellen Sie einen Schlüssel nur dafür, damit er für sich gelöscht werden kann. Kopieren Sie ihn und fügen Sie ihn hier ein.",
    es: "Cree una clave solo para esto, para poder eliminarla por separado. Cópiela y péguela aquí.",
    fr: "Créez une clé réservée à cet usage, afin de pouvoir la supprimer seule. Copiez-la et collez-la ici.",
  },
  total: {
    en: "A key can read and change everything in the company. Factorial has none that may do less; only what you agree to here is read.",
    de: "Ein Schlüssel kann alles im Unternehmen lesen und ändern. Einen mit weniger Rechten gibt es in Factorial nicht; gelesen wird nur, womit Sie hier einverstanden sind.",
    es: "Una clave puede leer y cambiar todo lo de la empresa. Factorial no tiene claves con menos permisos; solo se lee lo que usted acepta aquí.",
    fr: "Une clé peut tout lire et tout modifier dans l’entreprise. Factorial n’en propose pas de plus limitée ; seul ce que vous acceptez ici est lu.",
  },
  delete: {
    en: "Delete the key on the same page. Until then it works, also when the access has been ended here.",
    de: "Löschen Sie den Schlüssel auf derselben Seite. Bis dahin gilt er, auch wenn der Zugriff hier beendet wurde.",
    es: "Elimine la clave en la misma página. Hasta entonces funciona, aunque el acceso se haya terminado aquí.",
    fr: "Supprimez la clé sur la même page. Jusque-là elle fonctionne, même si l’accès a pris fin ici.",
  },
  needed: {
    en: "What do I need in Factorial?",
    de: "Was brauche ich in Factorial?",
    es: "¿Qué necesito en Factorial?",
    fr: "De quoi ai-je besoin dans Factorial ?",
  },
  approve: {
    en: "Continue here. Sign in on Factorial’s own page as an administrator, and approve the access for the company.",
    de: "Fahren Sie hier fort. Melden Sie sich auf der Seite von Factorial mit Administratorrechten an und genehmigen Sie den Zugriff für das Unternehmen.",
    es: "Continúe aquí. Inicie sesión en la página de Factorial como administrador y apruebe el acceso para la empresa.",
    fr: "Continuez ici. Connectez-vous sur la page de Factorial en tant qu’administrateur et approuvez l’accès pour l’entreprise.",
  },
  lasting: {
    en: "The access is the company’s: it goes on when you leave. Only what you agree to here is read.",
    de: "Der Zugriff gehört dem Unternehmen: Er gilt weiter, wenn Sie gehen. Gelesen wird nur, womit Sie hier einverstanden sind.",
    es: "El acceso es de la empresa: sigue cuando usted se va. Solo se lee lo que usted acepta aquí.",
    fr: "L’accès est celui de l’entreprise : il continue après votre départ. Seul ce que vous acceptez ici est lu.",
  },
  end: {
    en: "When the access is ended here, Factorial is told, unless another access reads the same company.",
    de: "Wird der Zugriff hier beendet, erfährt es Factorial, außer wenn ein anderer Zugriff dasselbe Unternehmen liest.",
    es: "Cuando el acceso se termina aquí, se avisa a Factorial, salvo que otro acceso lea la misma empresa.",
    fr: "Quand l’accès prend fin ici, Factorial en est informé, sauf si un autre accès lit la même entreprise.",
  },
} as const;

export const texts = textsOf(said);

export const keyRecipe: Recipe = {
  field: "key",
  title: said.where.en,
  steps: [
    {
      text: said.menu.en,
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 4, height: 1, look: "text" },
        { x: 0, y: 2, width: 6, height: 1, look: "text", label: said.configuration.en },
        { x: 7, y: 2, width: 3, height: 1, look: "text", label: said.api.en, isMarked: true },
      ],
    },
    { text: said.make.en },
  ],
  rights: [said.total.en],
  ending: [said.delete.en],
};

/** Nothing is typed here. Who is no administrator would go to Factorial and back for nothing. */
export const approvalRecipe: Recipe = {
  title: said.needed.en,
  steps: [{ text: said.approve.en }],
  rights: [said.lasting.en],
  ending: [said.end.en],
};
