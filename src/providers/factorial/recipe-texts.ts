import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipes say, in other languages. */
export const recipeTexts: RecipeTexts = {
  "Where do I find the API key?": {
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  "Sign in to Factorial as an administrator, open “Configuration” and choose “API”.": {
    de: "Melden Sie sich bei Factorial mit Administratorrechten an, öffnen Sie „Konfiguration“ und wählen Sie „API“.",
    es: "Inicie sesión en Factorial como administrador, abra «Configuración» y elija «API».",
    fr: "Connectez-vous à Factorial en tant qu’administrateur, ouvrez « Configuration » et choisissez « API ».",
  },
  Configuration: { de: "Konfiguration", es: "Configuración", fr: "Configuration" },
  API: { de: "API", es: "API", fr: "API" },
  "Make a key for this alone, so that it can be deleted alone. Copy it and paste it here.": {
    de: "Erstellen Sie einen Schlüssel nur dafür, damit er für sich gelöscht werden kann. Kopieren Sie ihn und fügen Sie ihn hier ein.",
    es: "Cree una clave solo para esto, para poder eliminarla por separado. Cópiela y péguela aquí.",
    fr: "Créez une clé réservée à cet usage, afin de pouvoir la supprimer seule. Copiez-la et collez-la ici.",
  },
  "A key can read and change everything in the company. Factorial has none that may do less; only what you agree to here is read.":
    {
      de: "Ein Schlüssel kann alles im Unternehmen lesen und ändern. Einen mit weniger Rechten gibt es in Factorial nicht; gelesen wird nur, womit Sie hier einverstanden sind.",
      es: "Una clave puede leer y cambiar todo lo de la empresa. Factorial no tiene claves con menos permisos; solo se lee lo que usted acepta aquí.",
      fr: "Une clé peut tout lire et tout modifier dans l’entreprise. Factorial n’en propose pas de plus limitée ; seul ce que vous acceptez ici est lu.",
    },
  "Delete the key on the same page. Until then it works, also when the access has been ended here.":
    {
      de: "Löschen Sie den Schlüssel auf derselben Seite. Bis dahin gilt er, auch wenn der Zugriff hier beendet wurde.",
      es: "Elimine la clave en la misma página. Hasta entonces funciona, aunque el acceso se haya terminado aquí.",
      fr: "Supprimez la clé sur la même page. Jusque-là elle fonctionne, même si l’accès a pris fin ici.",
    },
  "What do I need in Factorial?": {
    de: "Was brauche ich in Factorial?",
    es: "¿Qué necesito en Factorial?",
    fr: "De quoi ai-je besoin dans Factorial ?",
  },
  "Continue here. Sign in on Factorial’s own page as an administrator, and approve the access for the company.":
    {
      de: "Fahren Sie hier fort. Melden Sie sich auf der Seite von Factorial mit Administratorrechten an und genehmigen Sie den Zugriff für das Unternehmen.",
      es: "Continúe aquí. Inicie sesión en la página de Factorial como administrador y apruebe el acceso para la empresa.",
      fr: "Continuez ici. Connectez-vous sur la page de Factorial en tant qu’administrateur et approuvez l’accès pour l’entreprise.",
    },
  "The access is the company’s: it goes on when you leave. Only what you agree to here is read.": {
    de: "Der Zugriff gehört dem Unternehmen: Er gilt weiter, wenn Sie gehen. Gelesen wird nur, womit Sie hier einverstanden sind.",
    es: "El acceso es de la empresa: sigue cuando usted se va. Solo se lee lo que usted acepta aquí.",
    fr: "L’accès est celui de l’entreprise : il continue après votre départ. Seul ce que vous acceptez ici est lu.",
  },
  "When the access is ended here, Factorial is told, unless another access reads the same company.":
    {
      de: "Wird der Zugriff hier beendet, erfährt es Factorial, außer wenn ein anderer Zugriff dasselbe Unternehmen liest.",
      es: "Cuando el acceso se termina aquí, se avisa a Factorial, salvo que otro acceso lea la misma empresa.",
      fr: "Quand l’accès prend fin ici, Factorial en est informé, sauf si un autre accès lit la même entreprise.",
    },
};
