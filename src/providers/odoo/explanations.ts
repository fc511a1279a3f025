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
