export const nl = {
  "Service user ID": "ID van de servicegebruiker",
  Token: "Token",
  "An administrator makes a service user in Bob. Bob shows its token once.":
    "Een beheerder maakt in Bob een servicegebruiker aan. Bob toont het token maar één keer.",
  "Time zone of the company": "Tijdzone van het bedrijf",
  "Working times in Bob have no time zone. Leave this empty for UTC.":
    "Bob geeft werktijden zonder tijdzone door. Laat dit veld leeg voor UTC.",
  "Please type a time zone, such as Europe/Berlin.":
    "Vul een tijdzone in, bijvoorbeeld Europe/Berlin.",
  "This service user is of another company than the one that is connected. Please use one of the same company.":
    "Deze servicegebruiker hoort bij een ander bedrijf dan het gekoppelde. Gebruik een servicegebruiker van hetzelfde bedrijf.",
  "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.":
    "Deze servicegebruiker ziet niemand. Voeg de servicegebruiker in Bob toe aan een machtigingsgroep die “Basic info” van iedereen mag bekijken.",
};
