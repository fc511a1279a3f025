export const de = {
  Australia: "Australien",
  "New Zealand": "Neuseeland",
  "United Kingdom": "Vereinigtes Königreich",
  Singapore: "Singapur",
  Malaysia: "Malaysia",
  "Country of the payroll": "Land der Lohnabrechnung",
  "It can do all that its user can, and write too. A new key ends the one that the user had before.":
    "Er kann alles, was sein Benutzer kann, auch schreiben. Ein neuer Schlüssel beendet den, den der Benutzer vorher hatte.",
  "This key does not reach the business that was connected before. Use the key of a user who may see it.":
    "Dieser Schlüssel erreicht das zuvor verbundene Unternehmen nicht. Verwenden Sie den Schlüssel eines Benutzers, der es sehen darf.",
  "Which business do you want to connect?": "Welches Unternehmen möchten Sie verbinden?",
  "This key reaches no business. Use the key of a user who may see the business.":
    "Dieser Schlüssel erreicht kein Unternehmen. Verwenden Sie den Schlüssel eines Benutzers, der das Unternehmen sehen darf.",
};
