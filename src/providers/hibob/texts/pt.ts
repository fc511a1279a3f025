export const pt = {
  "Service user ID": "ID do utilizador de serviço",
  Token: "Token",
  "An administrator makes a service user in Bob. Bob shows its token once.":
    "Um administrador cria um utilizador de serviço em Bob. Bob só mostra o token uma vez.",
  "Time zone of the company": "Fuso horário da empresa",
  "Working times in Bob have no time zone. Leave this empty for UTC.":
    "Bob indica as horas de trabalho sem fuso horário. Deixe este campo vazio para UTC.",
  "Please type a time zone, such as Europe/Berlin.":
    "Introduza um fuso horário, por exemplo Europe/Berlin.",
  "This service user is of another company than the one that is connected. Please use one of the same company.":
    "Este utilizador de serviço é de uma empresa diferente da que está ligada. Utilize um da mesma empresa.",
  "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.":
    "Este utilizador de serviço não vê ninguém. Adicione-o em Bob a um grupo de permissões que possa ver «Basic info» de todos.",
};
