export const it = {
  "Company domain": "Dominio aziendale",
  "The part before .bamboohr.com in the address that your browser shows.":
    "La parte prima di .bamboohr.com nell’indirizzo mostrato dal browser.",
  "Please type the part before .bamboohr.com, such as example.":
    "Inserisca la parte prima di .bamboohr.com, ad esempio example.",
  "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
    "In BambooHR faccia clic sull’immagine del profilo e scelga API Keys. Una chiave viene mostrata una sola volta.",
  "There is no BambooHR account with this domain.":
    "Non esiste alcun account BambooHR con questo dominio.",
  "This is another company than the one that is connected. Please use the same domain as before.":
    "Questa azienda è diversa da quella collegata. Utilizzi lo stesso dominio di prima.",
};
