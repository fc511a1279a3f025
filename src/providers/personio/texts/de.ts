export const de = {
  "Client ID": "Client-ID",
  "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
    "Erstellen Sie in den Einstellungen von Personio API-Zugangsdaten mit Leserecht und den Mitarbeiterattributen, die Sie teilen möchten.",
  "Client secret": "Client-Secret",
  "Time zone of the company": "Zeitzone der Firma",
  "Working times in Personio have no time zone. Leave this empty for Europe/Berlin.":
    "Personio nennt Arbeitszeiten ohne Zeitzone. Lassen Sie dieses Feld für Europe/Berlin leer.",
  "Please type a time zone, such as Europe/Berlin.":
    "Bitte geben Sie eine Zeitzone ein, zum Beispiel Europe/Berlin.",
  "These credentials are not known to belong to the company that is connected. Please use the same client ID as before, or credentials that may read its legal entities.":
    "Es ist nicht bekannt, ob diese Zugangsdaten zur verbundenen Firma gehören. Bitte verwenden Sie die bisherige Client-ID oder Zugangsdaten, die deren Rechtsträger lesen dürfen.",
};
