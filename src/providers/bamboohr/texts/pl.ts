export const pl = {
  "Company domain": "Domena firmy",
  "The part before .bamboohr.com in the address that your browser shows.":
    "Część przed .bamboohr.com w adresie, który pokazuje przeglądarka.",
  "Please type the part before .bamboohr.com, such as example.":
    "Proszę wpisać część przed .bamboohr.com, na przykład example.",
  "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
    "W systemie BambooHR proszę kliknąć swoje zdjęcie profilowe i wybrać API Keys. Klucz jest pokazywany tylko raz.",
  "There is no BambooHR account with this domain.": "Nie ma konta BambooHR z tą domeną.",
  "This is another company than the one that is connected. Please use the same domain as before.":
    "To inna firma niż ta, która jest połączona. Proszę użyć tej samej domeny co poprzednio.",
};
