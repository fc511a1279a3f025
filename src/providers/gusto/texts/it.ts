export const it = {
  "No company was approved. Please continue to Gusto again and choose the one to connect.":
    "Non è stata approvata alcuna azienda. Torni su Gusto e scelga quella da collegare.",
  "This is another company than the one that is connected. Please choose the same one at Gusto.":
    "Questa azienda è diversa da quella collegata. Scelga la stessa su Gusto.",
  "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.":
    "Di questa azienda non si può leggere nulla. Approvi l’accesso come amministratore principale dell’azienda o come amministratore con accesso completo.",
};
