export const it = {
  Australia: "Australia",
  "New Zealand": "Nuova Zelanda",
  "United Kingdom": "Regno Unito",
  Singapore: "Singapore",
  Malaysia: "Malesia",
  "Country of the payroll": "Paese delle paghe",
  "It can do all that its user can, and write too. A new key ends the one that the user had before.":
    "Permette tutto ciò che può fare il suo utente, anche scrivere. Una nuova chiave annulla quella che l’utente aveva prima.",
  "This key does not reach the business that was connected before. Use the key of a user who may see it.":
    "Questa chiave non dà accesso all’azienda collegata in precedenza. Utilizzi la chiave di un utente che possa vederla.",
  "Which business do you want to connect?": "Quale azienda desidera collegare?",
  "This key reaches no business. Use the key of a user who may see the business.":
    "Questa chiave non dà accesso ad alcuna azienda. Utilizzi la chiave di un utente che possa vedere l’azienda.",
};
