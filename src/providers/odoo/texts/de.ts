export const de = {
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
};
