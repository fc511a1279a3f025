export const pt = {
  Australia: "Austrália",
  "New Zealand": "Nova Zelândia",
  "United Kingdom": "Reino Unido",
  Singapore: "Singapura",
  Malaysia: "Malásia",
  "Country of the payroll": "País do processamento salarial",
  "It can do all that its user can, and write too. A new key ends the one that the user had before.":
    "Permite tudo o que o seu utilizador pode fazer, incluindo escrever. Uma nova chave anula a que o utilizador tinha antes.",
  "This key does not reach the business that was connected before. Use the key of a user who may see it.":
    "Esta chave não dá acesso à empresa ligada anteriormente. Utilize a chave de um utilizador que a possa ver.",
  "Which business do you want to connect?": "Que empresa deseja ligar?",
  "This key reaches no business. Use the key of a user who may see the business.":
    "Esta chave não dá acesso a nenhuma empresa. Utilize a chave de um utilizador que possa ver a empresa.",
};
