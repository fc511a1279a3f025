import type { ProviderTexts } from "../contract.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What a person reads at a field of the form. */
export const explanations = {
  notOdoo: "There is no Odoo at this address.",
  unknownDatabase: "There is no such database at this address.",
  severalDatabases:
    "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.",
  hiddenDatabases:
    "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.",
  another:
    "This is another Odoo than the one that is connected. Please use the same address and database as before.",
  otherCompany:
    "This account does not have the company that is connected. Please use another account of your Odoo.",
  withoutRight:
    "This account may read nothing of what is asked for. In Odoo it lacks the right {right}.",
  tooOld: "This Odoo is version {version}. The oldest that can be read is version 14.",
  tooOldForKeys:
    "This Odoo is version {version}. The oldest that can be read with an API key is version 19.",
};

/** What this adapter says, in other languages. */
export const texts: ProviderTexts = {
  de: {
    ...recipeTexts.de,
    "Address of your Odoo": "Adresse Ihres Odoo",
    "What your browser shows when you use Odoo.":
      "Die Adresse, die Ihr Browser anzeigt, wenn Sie Odoo verwenden.",
    "Please type a web address, such as https://example.odoo.com.":
      "Bitte geben Sie eine Webadresse ein, zum Beispiel https://example.odoo.com.",
    Database: "Datenbank",
    "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.":
      "Lassen Sie dieses Feld leer, wenn Ihr Odoo nur eine hat. Bei odoo.com ist es der Teil vor .odoo.com.",
    "There is no Odoo at this address.": "Unter dieser Adresse gibt es kein Odoo.",
    "There is no such database at this address.":
      "Unter dieser Adresse gibt es keine solche Datenbank.",
    "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.":
      "Dieses Odoo hat mehrere Datenbanken. Bitte geben Sie den Namen Ihrer Datenbank ein oder bitten Sie Ihre Odoo-Administration darum.",
    "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.":
      "Dieses Odoo nennt den Namen seiner Datenbank nicht. Bitte geben Sie ihn ein oder bitten Sie Ihre Odoo-Administration darum.",
    "This is another Odoo than the one that is connected. Please use the same address and database as before.":
      "Dies ist ein anderes Odoo als das verbundene. Bitte verwenden Sie dieselbe Adresse und Datenbank wie zuvor.",
    "Code from your authenticator app or from the e-mail that Odoo sent you":
      "Code aus Ihrer Authenticator-App oder aus der E-Mail, die Odoo Ihnen geschickt hat",
    "This account does not have the company that is connected. Please use another account of your Odoo.":
      "Dieses Konto hat keinen Zugriff auf das verbundene Unternehmen. Bitte verwenden Sie ein anderes Konto Ihres Odoo.",
    "This account may read nothing of what is asked for. In Odoo it lacks the right {right}.":
      "Dieses Konto kann nichts von dem lesen, worum es geht. In Odoo fehlt ihm das Recht {right}.",
    "This Odoo is version {version}. The oldest that can be read is version 14.":
      "Dieses Odoo hat die Version {version}. Die älteste, die gelesen werden kann, ist Version 14.",
    "This Odoo is version {version}. The oldest that can be read with an API key is version 19.":
      "Dieses Odoo hat die Version {version}. Die älteste, die sich mit einem API-Schlüssel lesen lässt, ist Version 19.",
    "Which company?": "Welches Unternehmen?",
    Timesheets: "Zeiterfassung",
    "Which records of Odoo say how long people worked.":
      "Welche Aufzeichnungen von Odoo angeben, wie lange gearbeitet wurde.",
    Attendances: "Anwesenheiten",
    "Timesheets of projects": "Zeiterfassung der Projekte",
    "Categories of salary rules": "Kategorien der Lohnregeln",
    "Only if your payroll has categories of its own: the code of each and what it is.":
      "Nur wenn Ihre Lohnabrechnung eigene Kategorien hat: der Code jeder Kategorie und ihre Bedeutung.",
    "Please type codes such as INCTAX=tax, with a comma between two.":
      "Bitte geben Sie Codes wie INCTAX=tax ein, mit einem Komma dazwischen.",
    "You make it in Odoo under My Preferences, Security. It has your rights.":
      "Sie erstellen ihn in Odoo unter „Meine Präferenzen“, „Sicherheit“. Er hat Ihre Rechte.",
  },
  es: {
    ...recipeTexts.es,
    "Address of your Odoo": "Dirección de su Odoo",
    "What your browser shows when you use Odoo.":
      "La que muestra su navegador cuando utiliza Odoo.",
    "Please type a web address, such as https://example.odoo.com.":
      "Escriba una dirección web, por ejemplo https://example.odoo.com.",
    Database: "Base de datos",
    "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.":
      "Deje este campo vacío si su Odoo solo tiene una. En odoo.com es la parte anterior a .odoo.com.",
    "There is no Odoo at this address.": "En esta dirección no hay ningún Odoo.",
    "There is no such database at this address.": "En esta dirección no existe esa base de datos.",
    "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.":
      "Este Odoo tiene varias bases de datos. Escriba el nombre de la suya o pídaselo a su administrador.",
    "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.":
      "Este Odoo no indica el nombre de su base de datos. Escríbalo o pídaselo a su administrador.",
    "This is another Odoo than the one that is connected. Please use the same address and database as before.":
      "Este no es el Odoo que está conectado. Utilice la misma dirección y la misma base de datos que antes.",
    "Code from your authenticator app or from the e-mail that Odoo sent you":
      "Código de su aplicación de autenticación o del correo electrónico que Odoo le ha enviado",
    "This account does not have the company that is connected. Please use another account of your Odoo.":
      "Esta cuenta no tiene acceso a la empresa conectada. Utilice otra cuenta de su Odoo.",
    "This account may read nothing of what is asked for. In Odoo it lacks the right {right}.":
      "Esta cuenta no puede leer nada de lo que se pide. En Odoo le falta el permiso {right}.",
    "This Odoo is version {version}. The oldest that can be read is version 14.":
      "Este Odoo es la versión {version}. La más antigua que se puede leer es la versión 14.",
    "This Odoo is version {version}. The oldest that can be read with an API key is version 19.":
      "Este Odoo es la versión {version}. La más antigua que se puede leer con una clave API es la versión 19.",
    "Which company?": "¿Qué empresa?",
    Timesheets: "Hojas de horas",
    "Which records of Odoo say how long people worked.":
      "Qué registros de Odoo indican cuánto tiempo se ha trabajado.",
    Attendances: "Asistencias",
    "Timesheets of projects": "Hojas de horas de los proyectos",
    "Categories of salary rules": "Categorías de las reglas salariales",
    "Only if your payroll has categories of its own: the code of each and what it is.":
      "Solo si su nómina tiene categorías propias: el código de cada una y lo que es.",
    "Please type codes such as INCTAX=tax, with a comma between two.":
      "Escriba códigos como INCTAX=tax, separados por comas.",
    "You make it in Odoo under My Preferences, Security. It has your rights.":
      "La crea en Odoo, en «Mis preferencias», «Seguridad». Tiene sus permisos.",
  },
  fr: {
    ...recipeTexts.fr,
    "Address of your Odoo": "Adresse de votre Odoo",
    "What your browser shows when you use Odoo.":
      "Celle que votre navigateur affiche lorsque vous utilisez Odoo.",
    "Please type a web address, such as https://example.odoo.com.":
      "Veuillez saisir une adresse web, par exemple https://example.odoo.com.",
    Database: "Base de données",
    "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.":
      "Laissez ce champ vide si votre Odoo n’en a qu’une. Sur odoo.com, c’est la partie avant .odoo.com.",
    "There is no Odoo at this address.": "Il n’y a pas d’Odoo à cette adresse.",
    "There is no such database at this address.":
      "Cette base de données n’existe pas à cette adresse.",
    "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.":
      "Cet Odoo a plusieurs bases de données. Veuillez saisir le nom de la vôtre ou le demander à votre administrateur.",
    "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.":
      "Cet Odoo n’indique pas le nom de sa base de données. Veuillez le saisir ou le demander à votre administrateur.",
    "This is another Odoo than the one that is connected. Please use the same address and database as before.":
      "Ce n’est pas l’Odoo déjà relié. Veuillez utiliser la même adresse et la même base de données qu’avant.",
    "Code from your authenticator app or from the e-mail that Odoo sent you":
      "Code de votre application d’authentification ou de l’e-mail qu’Odoo vous a envoyé",
    "This account does not have the company that is connected. Please use another account of your Odoo.":
      "Ce compte n’a pas accès à l’entreprise connectée. Utilisez un autre compte de votre Odoo.",
    "This account may read nothing of what is asked for. In Odoo it lacks the right {right}.":
      "Ce compte ne peut rien lire de ce qui est demandé. Dans Odoo, il lui manque le droit {right}.",
    "This Odoo is version {version}. The oldest that can be read is version 14.":
      "Cet Odoo est en version {version}. La plus ancienne qui puisse être lue est la version 14.",
    "This Odoo is version {version}. The oldest that can be read with an API key is version 19.":
      "Cet Odoo est en version {version}. La plus ancienne qui puisse être lue avec une clé API est la version 19.",
    "Which company?": "Quelle entreprise ?",
    Timesheets: "Feuilles de temps",
    "Which records of Odoo say how long people worked.":
      "Quels enregistrements d’Odoo indiquent le temps travaillé.",
    Attendances: "Présences",
    "Timesheets of projects": "Feuilles de temps des projets",
    "Categories of salary rules": "Catégories des règles salariales",
    "Only if your payroll has categories of its own: the code of each and what it is.":
      "Seulement si votre paie a ses propres catégories : le code de chacune et ce qu’elle est.",
    "Please type codes such as INCTAX=tax, with a comma between two.":
      "Saisissez des codes tels que INCTAX=tax, séparés par des virgules.",
    "You make it in Odoo under My Preferences, Security. It has your rights.":
      "Vous la créez dans Odoo, sous « Mes préférences », « Sécurité ». Elle a vos droits.",
  },
};
