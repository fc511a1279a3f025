export const de = {
  "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
    "Der Name bestimmt, was geschieht: user_good funktioniert, user_mfa fragt nach einem Code (123456), user_bad_password wird abgelehnt.",
  "Any password works.": "Jedes Passwort funktioniert.",
  "Any key works.": "Jeder Schlüssel funktioniert.",
  "Approve the sign-in in your app": "Bestätigen Sie die Anmeldung in Ihrer App",
  "Which company do you want to connect?": "Welches Unternehmen möchten Sie verbinden?",
};
