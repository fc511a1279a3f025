/**
 * What a person reads, by the English sentences. One that is missing is shown in English.
 * @type {import("rollcall/provider").ProviderDefinition["texts"]}
 */
export const texts = {
  de: {
    Company: "Firma",
    "The name before .staffdir.example in your browser.":
      "Der Name vor .staffdir.example in Ihrem Browser.",
    "Work email": "Geschäftliche E-Mail-Adresse",
    Password: "Passwort",
    "StaffDir does not know this company.": "StaffDir kennt diese Firma nicht.",
    "Code from the text message that StaffDir sent you":
      "Code aus der SMS, die StaffDir Ihnen geschickt hat",
  },
  es: {
    Company: "Empresa",
    "The name before .staffdir.example in your browser.":
      "El nombre que aparece antes de .staffdir.example en su navegador.",
    "Work email": "Correo del trabajo",
    Password: "Contraseña",
    "StaffDir does not know this company.": "StaffDir no conoce esta empresa.",
    "Code from the text message that StaffDir sent you":
      "Código del mensaje de texto que le ha enviado StaffDir",
  },
  fr: {
    Company: "Entreprise",
    "The name before .staffdir.example in your browser.":
      "Le nom avant .staffdir.example dans votre navigateur.",
    "Work email": "E-mail professionnel",
    Password: "Mot de passe",
    "StaffDir does not know this company.": "StaffDir ne connaît pas cette entreprise.",
    "Code from the text message that StaffDir sent you": "Code du SMS que StaffDir vous a envoyé",
  },
};
