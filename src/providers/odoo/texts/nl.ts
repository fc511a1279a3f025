export const nl = {
  "Address of your Odoo": "Adres van uw Odoo",
  "What your browser shows when you use Odoo.":
    "Het adres dat uw browser toont wanneer u Odoo gebruikt.",
  "Please type a web address, such as https://example.odoo.com.":
    "Vul een webadres in, bijvoorbeeld https://example.odoo.com.",
  Database: "Database",
  "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.":
    "Laat dit veld leeg als uw Odoo er maar één heeft. Bij odoo.com is dat het deel vóór .odoo.com.",
  "There is no Odoo at this address.": "Op dit adres is geen Odoo.",
  "There is no such database at this address.": "Op dit adres bestaat deze database niet.",
  "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.":
    "Deze Odoo heeft meerdere databases. Vul de naam van de uwe in of vraag die aan uw beheerder.",
  "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.":
    "Deze Odoo maakt de naam van de database niet bekend. Vul die in of vraag die aan uw beheerder.",
  "This is another Odoo than the one that is connected. Please use the same address and database as before.":
    "Dit is een andere Odoo dan de gekoppelde. Gebruik hetzelfde adres en dezelfde database als voorheen.",
  "Code from your authenticator app or from the e-mail that Odoo sent you":
    "Code uit uw authenticator-app of uit de e-mail die Odoo u heeft gestuurd",
  "This account does not have the company that is connected. Please use another account of your Odoo.":
    "Dit account heeft geen toegang tot het gekoppelde bedrijf. Gebruik een ander account van uw Odoo.",
  "This account may read nothing of what is asked for. In Odoo it lacks the right {right}.":
    "Dit account mag niets lezen van wat er wordt gevraagd. In Odoo ontbreekt het recht {right}.",
  "This Odoo is version {version}. The oldest that can be read is version 14.":
    "Deze Odoo is versie {version}. De oudste versie die kan worden gelezen, is versie 14.",
  "This Odoo is version {version}. The oldest that can be read with an API key is version 19.":
    "Deze Odoo is versie {version}. De oudste versie die met een API-sleutel kan worden gelezen, is versie 19.",
  "Which company?": "Welk bedrijf?",
  Timesheets: "Urenstaten",
  "Which records of Odoo say how long people worked.":
    "Welke records van Odoo aangeven hoelang er is gewerkt.",
  Attendances: "Aanwezigheid",
  "Timesheets of projects": "Urenstaten van projecten",
  "Categories of salary rules": "Categorieën van salarisregels",
  "Only if your payroll has categories of its own: the code of each and what it is.":
    "Alleen als uw salarisadministratie eigen categorieën heeft: de code van elke categorie en wat die is.",
  "Please type codes such as INCTAX=tax, with a comma between two.":
    "Vul codes in zoals INCTAX=tax, gescheiden door komma’s.",
  "You make it in Odoo under My Preferences, Security. It has your rights.":
    "U maakt de sleutel in Odoo onder “Mijn voorkeuren”, “Beveiliging”. De sleutel heeft uw rechten.",
};
