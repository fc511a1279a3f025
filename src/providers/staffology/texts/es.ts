export const es = {
  "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.":
    "Cree una en los ajustes de la cuenta de Staffology. Puede hacer lo mismo que su usuario: elija un usuario que solo pueda consultar.",
  "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
    "Esta clave no da acceso a ningún empleador en Staffology. Use la clave de un usuario que pueda ver el empleador.",
  "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
    "Esta clave no da acceso al empleador que estaba conectado. Use la clave de un usuario que pueda verlo.",
  "Which employer do you want to connect?": "¿Qué empleador desea conectar?",
};
