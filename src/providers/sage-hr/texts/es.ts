export const es = {
  Subdomain: "Subdominio",
  "The part before .sage.hr in the address that your browser shows.":
    "La parte anterior a .sage.hr de la dirección que muestra su navegador.",
  "Please type the part before .sage.hr, such as example.":
    "Escriba la parte anterior a .sage.hr, por ejemplo example.",
  "In Sage HR, an administrator finds it under Settings, Integrations, API.":
    "En Sage HR, los administradores la encuentran en Settings, Integrations, API.",
  "There is no Sage HR account with this subdomain.":
    "No hay ninguna cuenta de Sage HR con este subdominio.",
  "This is another company than the one that is connected. Please use the same subdomain as before.":
    "Esta empresa no es la que está conectada. Utilice el mismo subdominio que antes.",
};
