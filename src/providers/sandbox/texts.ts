import type { ProviderTexts } from "../contract.ts";

/** What this adapter says, in other languages. */
export const texts: ProviderTexts = {
  de: {
    "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
      "Der Name bestimmt, was geschieht: user_good funktioniert, user_mfa fragt nach einem Code (123456), user_bad_password wird abgelehnt.",
    "Any password works.": "Jedes Passwort funktioniert.",
    "Any key works.": "Jeder Schlüssel funktioniert.",
    "Approve the sign-in in your app": "Bestätigen Sie die Anmeldung in Ihrer App",
    "Which company do you want to connect?": "Welches Unternehmen möchten Sie verbinden?",
  },
  es: {
    "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
      "El nombre determina lo que ocurre: user_good funciona, user_mfa pide un código (123456), user_bad_password se rechaza.",
    "Any password works.": "Cualquier contraseña sirve.",
    "Any key works.": "Cualquier clave sirve.",
    "Approve the sign-in in your app": "Apruebe el inicio de sesión en su aplicación",
    "Which company do you want to connect?": "¿Qué empresa desea conectar?",
  },
  fr: {
    "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
      "Le nom détermine ce qui se passe : user_good fonctionne, user_mfa demande un code (123456), user_bad_password est refusé.",
    "Any password works.": "N’importe quel mot de passe convient.",
    "Any key works.": "N’importe quelle clé convient.",
    "Approve the sign-in in your app": "Approuvez la connexion dans votre application",
    "Which company do you want to connect?": "Quelle entreprise souhaitez-vous connecter ?",
  },
};
