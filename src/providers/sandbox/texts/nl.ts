export const nl = {
  "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
    "De naam bepaalt wat er gebeurt: user_good werkt, user_mfa vraagt om een code (123456), user_bad_password wordt geweigerd.",
  "Any password works.": "Elk wachtwoord werkt.",
  "Any key works.": "Elke sleutel werkt.",
  "Approve the sign-in in your app": "Keur de aanmelding goed in uw app",
  "Which company do you want to connect?": "Welk bedrijf wilt u koppelen?",
};
