export const fr = {
  "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
    "Le nom détermine ce qui se passe : user_good fonctionne, user_mfa demande un code (123456), user_bad_password est refusé.",
  "Any password works.": "N’importe quel mot de passe convient.",
  "Any key works.": "N’importe quelle clé convient.",
  "Approve the sign-in in your app": "Approuvez la connexion dans votre application",
  "Which company do you want to connect?": "Quelle entreprise souhaitez-vous connecter ?",
};
