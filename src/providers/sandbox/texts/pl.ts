export const pl = {
  "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
    "Nazwa decyduje o tym, co się stanie: user_good działa, user_mfa prosi o kod (123456), user_bad_password jest odrzucany.",
  "Any password works.": "Działa dowolne hasło.",
  "Any key works.": "Działa dowolny klucz.",
  "Approve the sign-in in your app": "Proszę zatwierdzić logowanie w swojej aplikacji",
  "Which company do you want to connect?": "Którą firmę połączyć?",
};
