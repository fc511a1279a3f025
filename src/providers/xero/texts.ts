import type { ProviderTexts } from "../contract.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What a person reads when the sign-in cannot go on, and the question that it may ask. */
export const explanations = {
  organisation: "Which organisation do you want to connect?",
  none: "No organisation was approved. Please continue to Xero again and choose the one to connect.",
  another:
    "This is another organisation than the one that is connected. Please approve the same one at Xero.",
  noRight:
    "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.",
};

/** What this adapter says, in other languages. */
export const texts: ProviderTexts = {
  de: {
    ...recipeTexts.de,
    [explanations.organisation]: "Welche Organisation möchten Sie verbinden?",
    [explanations.none]:
      "Es wurde keine Organisation freigegeben. Bitte gehen Sie noch einmal zu Xero und wählen Sie die aus, die verbunden werden soll.",
    [explanations.another]:
      "Dies ist eine andere Organisation als die verbundene. Bitte geben Sie bei Xero dieselbe frei.",
    [explanations.noRight]:
      "Sie dürfen die Lohnabrechnung dieser Organisation nicht lesen. Bitte geben Sie sie als Benutzer mit der Rolle des Lohn-Administrators frei.",
  },
  es: {
    ...recipeTexts.es,
    [explanations.organisation]: "¿Qué organización desea conectar?",
    [explanations.none]:
      "No se ha autorizado ninguna organización. Vuelva a Xero y elija la que quiere conectar.",
    [explanations.another]: "Esta no es la organización conectada. Autorice la misma en Xero.",
    [explanations.noRight]:
      "No puede consultar las nóminas de esta organización. Autorícela como usuario con el rol de administrador de nóminas.",
  },
  fr: {
    ...recipeTexts.fr,
    [explanations.organisation]: "Quelle organisation souhaitez-vous connecter ?",
    [explanations.none]:
      "Aucune organisation n’a été autorisée. Retournez sur Xero et choisissez celle à connecter.",
    [explanations.another]:
      "Cette organisation n’est pas celle qui est connectée. Autorisez la même sur Xero.",
    [explanations.noRight]:
      "Vous ne pouvez pas lire la paie de cette organisation. Autorisez-la en tant qu’utilisateur ayant le rôle d’administrateur de paie.",
  },
};
