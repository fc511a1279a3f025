export const pt = {
  "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
    "O nome determina o que acontece: user_good funciona, user_mfa pede um código (123456), user_bad_password é recusado.",
  "Any password works.": "Qualquer senha serve.",
  "Any key works.": "Qualquer chave serve.",
  "Approve the sign-in in your app": "Aprove o início de sessão na sua aplicação",
  "Which company do you want to connect?": "Que empresa deseja ligar?",
};
