export const it = {
  "Which organisation do you want to connect?": "Quale organizzazione desidera collegare?",
  "No organisation was approved. Please continue to Xero again and choose the one to connect.":
    "Non è stata approvata alcuna organizzazione. Torni su Xero e scelga quella da collegare.",
  "This is another organisation than the one that is connected. Please approve the same one at Xero.":
    "Questa organizzazione è diversa da quella collegata. Approvi la stessa su Xero.",
  "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.":
    "Non è autorizzato a leggere le paghe di questa organizzazione. Approvi come utente con il ruolo di amministratore delle paghe (payroll administrator).",
};
