export const it = {
  "Address of your Odoo": "Indirizzo del Suo Odoo",
  "What your browser shows when you use Odoo.": "Quello mostrato dal browser quando usa Odoo.",
  "Please type a web address, such as https://example.odoo.com.":
    "Inserisca un indirizzo web, ad esempio https://example.odoo.com.",
  Database: "Database",
  "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.":
    "Lasci vuoto questo campo se il Suo Odoo ne ha uno solo. Su odoo.com è la parte prima di .odoo.com.",
  "There is no Odoo at this address.": "A questo indirizzo non c’è alcun Odoo.",
  "There is no such database at this address.":
    "A questo indirizzo non esiste un database con questo nome.",
  "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.":
    "Questo Odoo ha più database. Inserisca il nome del Suo o lo chieda al Suo amministratore.",
  "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.":
    "Questo Odoo non indica il nome del proprio database. Lo inserisca o lo chieda al Suo amministratore.",
  "This is another Odoo than the one that is connected. Please use the same address and database as before.":
    "Questo Odoo è diverso da quello collegato. Utilizzi lo stesso indirizzo e lo stesso database di prima.",
  "Code from your authenticator app or from the e-mail that Odoo sent you":
    "Codice della Sua app di autenticazione o dell’e-mail inviata da Odoo",
  "This account does not have the company that is connected. Please use another account of your Odoo.":
    "Questo account non ha accesso all’azienda collegata. Utilizzi un altro account del Suo Odoo.",
  "This account may read nothing of what is asked for. In Odoo it lacks the right {right}.":
    "Questo account non può leggere nulla di quanto richiesto. In Odoo gli manca il permesso {right}.",
  "This Odoo is version {version}. The oldest that can be read is version 14.":
    "Questo Odoo è alla versione {version}. La più vecchia che si può leggere è la versione 14.",
  "This Odoo is version {version}. The oldest that can be read with an API key is version 19.":
    "Questo Odoo è alla versione {version}. La più vecchia che si può leggere con una chiave API è la versione 19.",
  "Which company?": "Quale azienda?",
  Timesheets: "Fogli ore",
  "Which records of Odoo say how long people worked.":
    "Quali registrazioni di Odoo indicano quanto si è lavorato.",
  Attendances: "Presenze",
  "Timesheets of projects": "Fogli ore dei progetti",
  "Categories of salary rules": "Categorie delle regole salariali",
  "Only if your payroll has categories of its own: the code of each and what it is.":
    "Solo se le Sue paghe hanno categorie proprie: il codice di ciascuna e che cosa è.",
  "Please type codes such as INCTAX=tax, with a comma between two.":
    "Inserisca codici come INCTAX=tax, separati da virgole.",
  "You make it in Odoo under My Preferences, Security. It has your rights.":
    "La crea in Odoo, in «Le mie preferenze», «Sicurezza». Ha le Sue stesse autorizzazioni.",
};
