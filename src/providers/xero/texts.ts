import { textsOf } from "../kit/texts.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf(
  {
    "Which organisation do you want to connect?": {
      de: "Welche Organisation möchten Sie verbinden?",
      es: "¿Qué organización desea conectar?",
      fr: "Quelle organisation souhaitez-vous connecter ?",
      it: "Quale organizzazione desidera collegare?",
      nl: "Welke organisatie wilt u koppelen?",
      pl: "Którą organizację połączyć?",
      pt: "Que organização deseja ligar?",
    },
    "No organisation was approved. Please continue to Xero again and choose the one to connect.": {
      de: "Es wurde keine Organisation freigegeben. Bitte gehen Sie noch einmal zu Xero und wählen Sie die aus, die verbunden werden soll.",
      es: "No se ha autorizado ninguna organización. Vuelva a Xero y elija la que quiere conectar.",
      fr: "Aucune organisation n’a été autorisée. Retournez sur Xero et choisissez celle à connecter.",
      it: "Non è stata approvata alcuna organizzazione. Torni su Xero e scelga quella da collegare.",
      nl: "Er is geen organisatie goedgekeurd. Ga opnieuw naar Xero en kies de organisatie die u wilt koppelen.",
      pl: "Nie zatwierdzono żadnej organizacji. Proszę ponownie przejść do systemu Xero i wybrać organizację, którą należy połączyć.",
      pt: "Não foi aprovada nenhuma organização. Volte a Xero e escolha a que pretende ligar.",
    },
    "This is another organisation than the one that is connected. Please approve the same one at Xero.":
      {
        de: "Dies ist eine andere Organisation als die verbundene. Bitte geben Sie bei Xero dieselbe frei.",
        es: "Esta no es la organización conectada. Autorice la misma en Xero.",
        fr: "Cette organisation n’est pas celle qui est connectée. Autorisez la même sur Xero.",
        it: "Questa organizzazione è diversa da quella collegata. Approvi la stessa su Xero.",
        nl: "Dit is een andere organisatie dan de gekoppelde. Keur bij Xero dezelfde organisatie goed.",
        pl: "To inna organizacja niż ta, która jest połączona. Proszę zatwierdzić w systemie Xero tę samą.",
        pt: "Esta organização não é a que está ligada. Aprove a mesma em Xero.",
      },
    "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.":
      {
        de: "Sie dürfen die Lohnabrechnung dieser Organisation nicht lesen. Bitte geben Sie sie als Benutzer mit der Rolle des Lohn-Administrators frei.",
        es: "No puede consultar las nóminas de esta organización. Autorícela como usuario con el rol de administrador de nóminas.",
        fr: "Vous ne pouvez pas lire la paie de cette organisation. Autorisez-la en tant qu’utilisateur ayant le rôle d’administrateur de paie.",
        it: "Non è autorizzato a leggere le paghe di questa organizzazione. Approvi come utente con il ruolo di amministratore delle paghe (payroll administrator).",
        nl: "U mag de salarisadministratie van deze organisatie niet lezen. Geef goedkeuring als gebruiker met de rol van salarisbeheerder (payroll administrator).",
        pl: "Brak prawa do odczytu płac tej organizacji. Proszę zatwierdzić dostęp jako użytkownik z rolą administratora płac (payroll administrator).",
        pt: "Não pode ler os salários desta organização. Aprove como utilizador com a função de administrador de salários (payroll administrator).",
      },
  },
  recipeTexts,
);
