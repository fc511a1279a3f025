export const it = {
  "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.":
    "Un amministratore la crea in Factorial. Dà accesso a tutti i dati dell’azienda e non scade mai da sola.",
  "This is another company than the one that is connected. Please use the same one as before.":
    "Questa azienda è diversa da quella collegata. Utilizzi la stessa di prima.",
  "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.":
    "Questo accesso mostra solo ciò che può vedere una singola persona. Acceda a Factorial come amministratore e lo approvi per l’azienda.",
};
