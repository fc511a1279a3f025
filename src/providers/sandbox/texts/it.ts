export const it = {
  "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
    "Il nome determina che cosa succede: user_good funziona, user_mfa chiede un codice (123456), user_bad_password viene rifiutato.",
  "Any password works.": "Qualsiasi password va bene.",
  "Any key works.": "Qualsiasi chiave va bene.",
  "Approve the sign-in in your app": "Approvi l’accesso nella Sua app",
  "Which company do you want to connect?": "Quale azienda desidera collegare?",
};
