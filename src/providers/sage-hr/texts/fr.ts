export const fr = {
  Subdomain: "Sous-domaine",
  "The part before .sage.hr in the address that your browser shows.":
    "La partie avant .sage.hr dans l’adresse qu’affiche votre navigateur.",
  "Please type the part before .sage.hr, such as example.":
    "Saisissez la partie avant .sage.hr, par exemple example.",
  "In Sage HR, an administrator finds it under Settings, Integrations, API.":
    "Dans Sage HR, les administrateurs la trouvent sous Settings, Integrations, API.",
  "There is no Sage HR account with this subdomain.": "Aucun compte Sage HR n’a ce sous-domaine.",
  "This is another company than the one that is connected. Please use the same subdomain as before.":
    "Cette entreprise n’est pas celle qui est connectée. Utilisez le même sous-domaine que précédemment.",
};
