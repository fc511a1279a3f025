/**
 * What a person reads, by the English sentences. One that is missing is shown in English.
 * @type {import("@rollcall/provider").ProviderDefinition["texts"]}
 */
export const texts = {
  de: {
    Company: "Firma",
    "The name before .staffdir.example in your browser.":
      "Der Name vor .staffdir.example in Ihrem Browser.",
    "Work email": "Geschäftliche E-Mail-Adresse",
    Password: "Passwort",
    "StaffDir does not know this company.": "StaffDir kennt diese Firma nicht.",
    "This is another company than the one that is connected. Please use the same one as before.":
      "Dies ist eine andere Firma als die verbundene. Bitte verwenden Sie dieselbe wie zuvor.",
    "Code from the text message that StaffDir sent you":
      "Code aus der SMS, die StaffDir Ihnen geschickt hat",
    "Where do I find the company name?": "Wo finde ich den Namen der Firma?",
    "Open StaffDir in your browser. The name is the first part of the address.":
      "Öffnen Sie StaffDir in Ihrem Browser. Der Name ist der erste Teil der Adresse.",
    "Type it here, with your work email and the password that you use there.":
      "Geben Sie ihn hier ein, mit Ihrer geschäftlichen E-Mail-Adresse und dem Passwort, das Sie dort verwenden.",
    "Dates of birth and tax numbers are read with an administrator’s account alone.":
      "Geburtsdaten und Steuernummern werden nur mit einem Administratorkonto gelesen.",
    "Change your password in StaffDir, under “My account”.":
      "Ändern Sie Ihr Passwort in StaffDir, unter „My account“.",
    lindgren: "lindgren",
    ".staffdir.example": ".staffdir.example",
  },
  es: {
    Company: "Empresa",
    "The name before .staffdir.example in your browser.":
      "El nombre que aparece antes de .staffdir.example en su navegador.",
    "Work email": "Correo del trabajo",
    Password: "Contraseña",
    "StaffDir does not know this company.": "StaffDir no conoce esta empresa.",
    "This is another company than the one that is connected. Please use the same one as before.":
      "Esta no es la empresa conectada. Utilice la misma que antes.",
    "Code from the text message that StaffDir sent you":
      "Código del mensaje de texto que le ha enviado StaffDir",
    "Where do I find the company name?": "¿Dónde encuentro el nombre de la empresa?",
    "Open StaffDir in your browser. The name is the first part of the address.":
      "Abra StaffDir en su navegador. El nombre es la primera parte de la dirección.",
    "Type it here, with your work email and the password that you use there.":
      "Escríbalo aquí, con su correo del trabajo y la contraseña que utiliza allí.",
    "Dates of birth and tax numbers are read with an administrator’s account alone.":
      "Las fechas de nacimiento y los números fiscales solo se leen con una cuenta de administrador.",
    "Change your password in StaffDir, under “My account”.":
      "Cambie su contraseña en StaffDir, en «My account».",
    lindgren: "lindgren",
    ".staffdir.example": ".staffdir.example",
  },
  fr: {
    Company: "Entreprise",
    "The name before .staffdir.example in your browser.":
      "Le nom avant .staffdir.example dans votre navigateur.",
    "Work email": "E-mail professionnel",
    Password: "Mot de passe",
    "StaffDir does not know this company.": "StaffDir ne connaît pas cette entreprise.",
    "This is another company than the one that is connected. Please use the same one as before.":
      "Cette entreprise n’est pas celle qui est connectée. Utilisez la même que précédemment.",
    "Code from the text message that StaffDir sent you": "Code du SMS que StaffDir vous a envoyé",
    "Where do I find the company name?": "Où trouver le nom de l’entreprise ?",
    "Open StaffDir in your browser. The name is the first part of the address.":
      "Ouvrez StaffDir dans votre navigateur. Le nom est la première partie de l’adresse.",
    "Type it here, with your work email and the password that you use there.":
      "Saisissez-le ici, avec votre e-mail professionnel et le mot de passe que vous utilisez là-bas.",
    "Dates of birth and tax numbers are read with an administrator’s account alone.":
      "Les dates de naissance et les numéros fiscaux ne sont lus qu’avec un compte d’administrateur.",
    "Change your password in StaffDir, under “My account”.":
      "Modifiez votre mot de passe dans StaffDir, sous « My account ».",
    lindgren: "lindgren",
    ".staffdir.example": ".staffdir.example",
  },
};
