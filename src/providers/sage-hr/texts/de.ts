export const de = {
  Subdomain: "Subdomain",
  "The part before .sage.hr in the address that your browser shows.":
    "Der Teil vor .sage.hr in der Adresse, die Ihr Browser anzeigt.",
  "Please type the part before .sage.hr, such as example.":
    "Bitte geben Sie den Teil vor .sage.hr ein, zum Beispiel example.",
  "In Sage HR, an administrator finds it under Settings, Integrations, API.":
    "In Sage HR finden Administratoren ihn unter Settings, Integrations, API.",
  "There is no Sage HR account with this subdomain.":
    "Es gibt kein Sage-HR-Konto mit dieser Subdomain.",
  "This is another company than the one that is connected. Please use the same subdomain as before.":
    "Dies ist eine andere Firma als die verbundene. Bitte verwenden Sie dieselbe Subdomain wie zuvor.",
};
