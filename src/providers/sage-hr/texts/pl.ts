export const pl = {
  Subdomain: "Subdomena",
  "The part before .sage.hr in the address that your browser shows.":
    "Część przed .sage.hr w adresie, który pokazuje przeglądarka.",
  "Please type the part before .sage.hr, such as example.":
    "Proszę wpisać część przed .sage.hr, na przykład example.",
  "In Sage HR, an administrator finds it under Settings, Integrations, API.":
    "W Sage HR administrator znajdzie go w sekcji Settings, Integrations, API.",
  "There is no Sage HR account with this subdomain.": "Nie ma konta Sage HR z tą subdomeną.",
  "This is another company than the one that is connected. Please use the same subdomain as before.":
    "To inna firma niż ta, która jest połączona. Proszę użyć tej samej subdomeny co poprzednio.",
};
