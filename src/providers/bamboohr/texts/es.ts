export const es = {
  "Company domain": "Dominio de la empresa",
  "The part before .bamboohr.com in the address that your browser shows.":
    "La parte anterior a .bamboohr.com de la dirección que muestra su navegador.",
  "Please type the part before .bamboohr.com, such as example.":
    "Escriba la parte anterior a .bamboohr.com, por ejemplo example.",
  "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
    "En BambooHR, haga clic en su foto de perfil y elija API Keys. Una clave se muestra una sola vez.",
  "There is no BambooHR account with this domain.":
    "No hay ninguna cuenta de BambooHR con este dominio.",
  "This is another company than the one that is connected. Please use the same domain as before.":
    "Es una empresa distinta de la que está conectada. Utilice el mismo dominio que antes.",
};
