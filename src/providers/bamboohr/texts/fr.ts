export const fr = {
  "Company domain": "Domaine de l’entreprise",
  "The part before .bamboohr.com in the address that your browser shows.":
    "La partie avant .bamboohr.com dans l’adresse que votre navigateur affiche.",
  "Please type the part before .bamboohr.com, such as example.":
    "Saisissez la partie avant .bamboohr.com, par exemple example.",
  "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
    "Dans BambooHR, cliquez sur votre photo de profil et choisissez API Keys. Une clé n’est affichée qu’une fois.",
  "There is no BambooHR account with this domain.":
    "Il n’existe pas de compte BambooHR avec ce domaine.",
  "This is another company than the one that is connected. Please use the same domain as before.":
    "Il s’agit d’une autre entreprise que celle qui est connectée. Utilisez le même domaine qu’auparavant.",
};
