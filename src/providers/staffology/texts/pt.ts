export const pt = {
  "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.":
    "Crie-a nas definições da conta de Staffology. Permite tudo o que o seu utilizador pode fazer: escolha um utilizador que só possa consultar.",
  "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
    "Esta chave não dá acesso a nenhuma entidade empregadora em Staffology. Utilize a chave de um utilizador que a possa ver.",
  "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
    "Esta chave não dá acesso à entidade empregadora ligada anteriormente. Utilize a chave de um utilizador que a possa ver.",
  "Which employer do you want to connect?": "Que entidade empregadora deseja ligar?",
};
