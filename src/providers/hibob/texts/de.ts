export const de = {
  "Service user ID": "ID des Service-Benutzers",
  Token: "Token",
  "An administrator makes a service user in Bob. Bob shows its token once.":
    "Eine Administratorin oder ein Administrator legt in Bob einen Service-Benutzer an. Bob zeigt sein Token nur einmal.",
  "Time zone of the company": "Zeitzone der Firma",
  "Working times in Bob have no time zone. Leave this empty for UTC.":
    "Bob gibt Arbeitszeiten ohne sie an. Lassen Sie das Feld für UTC leer.",
  "Please type a time zone, such as Europe/Berlin.":
    "Bitte geben Sie eine Zeitzone ein, zum Beispiel Europe/Berlin.",
  "This service user is of another company than the one that is connected. Please use one of the same company.":
    "Dieser Service-Benutzer gehört zu einer anderen Firma als der verbundenen. Bitte verwenden Sie einen derselben Firma.",
  "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.":
    "Dieser Service-Benutzer sieht niemanden. Nehmen Sie ihn in Bob in eine Berechtigungsgruppe auf, die „Basic info“ von allen sehen darf.",
};
