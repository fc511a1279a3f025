import type { ProviderTexts } from "../contract.ts";

/** What this adapter says, in other languages. */
export const texts: ProviderTexts = {
  de: {
    "Which organisation do you want to connect?": "Welche Organisation möchten Sie verbinden?",
    "No organisation was approved. Please continue to Xero again and choose the one to connect.":
      "Es wurde keine Organisation freigegeben. Bitte gehen Sie noch einmal zu Xero und wählen Sie die aus, die verbunden werden soll.",
    "This is another organisation than the one that is connected. Please approve the same one at Xero.":
      "Dies ist eine andere Organisation als die verbundene. Bitte geben Sie bei Xero dieselbe frei.",
  },
  es: {
    "Which organisation do you want to connect?": "¿Qué organización desea conectar?",
    "No organisation was approved. Please continue to Xero again and choose the one to connect.":
      "No se ha autorizado ninguna organización. Vuelva a Xero y elija la que quiere conectar.",
    "This is another organisation than the one that is connected. Please approve the same one at Xero.":
      "Esta no es la organización conectada. Autorice la misma en Xero.",
  },
  fr: {
    "Which organisation do you want to connect?": "Quelle organisation souhaitez-vous connecter ?",
    "No organisation was approved. Please continue to Xero again and choose the one to connect.":
      "Aucune organisation n’a été autorisée. Retournez sur Xero et choisissez celle à connecter.",
    "This is another organisation than the one that is connected. Please approve the same one at Xero.":
      "Cette organisation n’est pas celle qui est connectée. Autorisez la même sur Xero.",
  },
};
