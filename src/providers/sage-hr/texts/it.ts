export const it = {
  Subdomain: "Sottodominio",
  "The part before .sage.hr in the address that your browser shows.":
    "La parte prima di .sage.hr nell’indirizzo mostrato dal browser.",
  "Please type the part before .sage.hr, such as example.":
    "Inserisca la parte prima di .sage.hr, ad esempio example.",
  "In Sage HR, an administrator finds it under Settings, Integrations, API.":
    "In Sage HR gli amministratori la trovano in Settings, Integrations, API.",
  "There is no Sage HR account with this subdomain.":
    "Non esiste alcun account Sage HR con questo sottodominio.",
  "This is another company than the one that is connected. Please use the same subdomain as before.":
    "Questa azienda è diversa da quella collegata. Utilizzi lo stesso sottodominio di prima.",
};
