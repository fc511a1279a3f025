export const de = {
  "Company domain": "Domain der Firma",
  "The part before .bamboohr.com in the address that your browser shows.":
    "Der Teil vor .bamboohr.com in der Adresse, die Ihr Browser anzeigt.",
  "Please type the part before .bamboohr.com, such as example.":
    "Bitte geben Sie den Teil vor .bamboohr.com ein, zum Beispiel example.",
  "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
    "Klicken Sie in BambooHR auf Ihr Profilbild und wählen Sie API Keys. Ein Schlüssel wird nur einmal angezeigt.",
  "There is no BambooHR account with this domain.":
    "Es gibt kein BambooHR-Konto mit dieser Domain.",
  "This is another company than the one that is connected. Please use the same domain as before.":
    "Dies ist eine andere Firma als die verbundene. Bitte verwenden Sie dieselbe Domain wie zuvor.",
};
