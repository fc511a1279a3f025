export const fr = {
  "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.":
    "Créez-en une dans les paramètres du compte Staffology. Elle peut tout ce que peut son utilisateur : prenez un utilisateur qui ne fait que consulter.",
  "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
    "Cette clé ne donne accès à aucun employeur dans Staffology. Utilisez la clé d’un utilisateur qui peut voir l’employeur.",
  "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
    "Cette clé ne donne pas accès à l’employeur connecté auparavant. Utilisez la clé d’un utilisateur qui peut le voir.",
  "Which employer do you want to connect?": "Quel employeur souhaitez-vous connecter ?",
};
