export const fr = {
  Australia: "Australie",
  "New Zealand": "Nouvelle-Zélande",
  "United Kingdom": "Royaume-Uni",
  Singapore: "Singapour",
  Malaysia: "Malaisie",
  "Country of the payroll": "Pays de la paie",
  "It can do all that its user can, and write too. A new key ends the one that the user had before.":
    "Elle peut tout ce que peut son utilisateur, y compris écrire. Une nouvelle clé met fin à celle que l’utilisateur avait avant.",
  "This key does not reach the business that was connected before. Use the key of a user who may see it.":
    "Cette clé ne donne pas accès à l’entreprise connectée auparavant. Utilisez la clé d’un utilisateur qui peut la voir.",
  "Which business do you want to connect?": "Quelle entreprise souhaitez-vous connecter ?",
  "This key reaches no business. Use the key of a user who may see the business.":
    "Cette clé ne donne accès à aucune entreprise. Utilisez la clé d’un utilisateur qui peut voir l’entreprise.",
};
