export const pt = {
  "Which organisation do you want to connect?": "Que organização deseja ligar?",
  "No organisation was approved. Please continue to Xero again and choose the one to connect.":
    "Não foi aprovada nenhuma organização. Volte a Xero e escolha a que pretende ligar.",
  "This is another organisation than the one that is connected. Please approve the same one at Xero.":
    "Esta organização não é a que está ligada. Aprove a mesma em Xero.",
  "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.":
    "Não pode ler os salários desta organização. Aprove como utilizador com a função de administrador de salários (payroll administrator).",
};
