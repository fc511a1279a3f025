export const pt = {
  Subdomain: "Subdomínio",
  "The part before .sage.hr in the address that your browser shows.":
    "A parte antes de .sage.hr no endereço que o seu navegador mostra.",
  "Please type the part before .sage.hr, such as example.":
    "Introduza a parte antes de .sage.hr, por exemplo example.",
  "In Sage HR, an administrator finds it under Settings, Integrations, API.":
    "Em Sage HR, os administradores encontram-na em Settings, Integrations, API.",
  "There is no Sage HR account with this subdomain.":
    "Não existe nenhuma conta de Sage HR com este subdomínio.",
  "This is another company than the one that is connected. Please use the same subdomain as before.":
    "Esta empresa não é a que está ligada. Utilize o mesmo subdomínio que antes.",
};
