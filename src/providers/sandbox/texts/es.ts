export const es = {
  "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
    "El nombre determina lo que ocurre: user_good funciona, user_mfa pide un código (123456), user_bad_password se rechaza.",
  "Any password works.": "Cualquier contraseña sirve.",
  "Any key works.": "Cualquier clave sirve.",
  "Approve the sign-in in your app": "Apruebe el inicio de sesión en su aplicación",
  "Which company do you want to connect?": "¿Qué empresa desea conectar?",
};
