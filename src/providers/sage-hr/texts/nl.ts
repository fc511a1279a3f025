export const nl = {
  Subdomain: "Subdomein",
  "The part before .sage.hr in the address that your browser shows.":
    "Het deel vóór .sage.hr in het adres dat uw browser toont.",
  "Please type the part before .sage.hr, such as example.":
    "Vul het deel vóór .sage.hr in, bijvoorbeeld example.",
  "In Sage HR, an administrator finds it under Settings, Integrations, API.":
    "In Sage HR vindt een beheerder de sleutel onder Settings, Integrations, API.",
  "There is no Sage HR account with this subdomain.":
    "Er is geen Sage HR-account met dit subdomein.",
  "This is another company than the one that is connected. Please use the same subdomain as before.":
    "Dit is een ander bedrijf dan het gekoppelde. Gebruik hetzelfde subdomein als voorheen.",
};
