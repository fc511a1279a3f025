export const fr = {
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
};
