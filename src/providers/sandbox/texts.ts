import { textsOf } from "../kit/texts.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf({
  "The name selects what happens: user_good works, user_mfa asks for a code (123456), user_bad_password is refused.":
    {
      de: "Der Name bestimmt, was geschieht: user_good funktioniert, user_mfa fragt nach einem Code (123456), user_bad_password wird abgelehnt.",
      es: "El nombre determina lo que ocurre: user_good funciona, user_mfa pide un código (123456), user_bad_password se rechaza.",
      fr: "Le nom détermine ce qui se passe : user_good fonctionne, user_mfa demande un code (123456), user_bad_password est refusé.",
      it: "Il nome determina che cosa succede: user_good funziona, user_mfa chiede un codice (123456), user_bad_password viene rifiutato.",
      nl: "De naam bepaalt wat er gebeurt: user_good werkt, user_mfa vraagt om een code (123456), user_bad_password wordt geweigerd.",
      pl: "Nazwa decyduje o tym, co się stanie: user_good działa, user_mfa prosi o kod (123456), user_bad_password jest odrzucany.",
      pt: "O nome determina o que acontece: user_good funciona, user_mfa pede um código (123456), user_bad_password é recusado.",
    },
  "Any password works.": {
    de: "Jedes Passwort funktioniert.",
    es: "Cualquier contraseña sirve.",
    fr: "N’importe quel mot de passe convient.",
    it: "Qualsiasi password va bene.",
    nl: "Elk wachtwoord werkt.",
    pl: "Działa dowolne hasło.",
    pt: "Qualquer senha serve.",
  },
  "Any key works.": {
    de: "Jeder Schlüssel funktioniert.",
    es: "Cualquier clave sirve.",
    fr: "N’importe quelle clé convient.",
    it: "Qualsiasi chiave va bene.",
    nl: "Elke sleutel werkt.",
    pl: "Działa dowolny klucz.",
    pt: "Qualquer chave serve.",
  },
  "Approve the sign-in in your app": {
    de: "Bestätigen Sie die Anmeldung in Ihrer App",
    es: "Apruebe el inicio de sesión en su aplicación",
    fr: "Approuvez la connexion dans votre application",
    it: "Approvi l’accesso nella Sua app",
    nl: "Keur de aanmelding goed in uw app",
    pl: "Proszę zatwierdzić logowanie w swojej aplikacji",
    pt: "Aprove o início de sessão na sua aplicação",
  },
  "Which company do you want to connect?": {
    de: "Welches Unternehmen möchten Sie verbinden?",
    es: "¿Qué empresa desea conectar?",
    fr: "Quelle entreprise souhaitez-vous connecter ?",
    it: "Quale azienda desidera collegare?",
    nl: "Welk bedrijf wilt u koppelen?",
    pl: "Którą firmę połączyć?",
    pt: "Que empresa deseja ligar?",
  },
});
