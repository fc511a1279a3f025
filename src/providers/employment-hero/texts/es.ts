export const es = {
  Australia: "Australia",
  "New Zealand": "Nueva Zelanda",
  "United Kingdom": "Reino Unido",
  Singapore: "Singapur",
  Malaysia: "Malasia",
  "Country of the payroll": "País de la nómina",
  "It can do all that its user can, and write too. A new key ends the one that the user had before.":
    "Puede hacer lo mismo que su usuario, también escribir. Una clave nueva anula la que el usuario tenía antes.",
  "This key does not reach the business that was connected before. Use the key of a user who may see it.":
    "Esta clave no da acceso a la empresa que estaba conectada. Use la clave de un usuario que pueda verla.",
  "Which business do you want to connect?": "¿Qué empresa desea conectar?",
  "This key reaches no business. Use the key of a user who may see the business.":
    "Esta clave no da acceso a ninguna empresa. Use la clave de un usuario que pueda ver la empresa.",
};
