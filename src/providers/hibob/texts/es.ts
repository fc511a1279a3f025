export const es = {
  "Service user ID": "ID del usuario de servicio",
  Token: "Token",
  "An administrator makes a service user in Bob. Bob shows its token once.":
    "Un administrador crea un usuario de servicio en Bob. Bob muestra su token una sola vez.",
  "Time zone of the company": "Zona horaria de la empresa",
  "Working times in Bob have no time zone. Leave this empty for UTC.":
    "Bob da las horas de trabajo sin ella. Déjelo vacío para UTC.",
  "Please type a time zone, such as Europe/Berlin.":
    "Escriba una zona horaria, por ejemplo Europe/Berlin.",
  "This service user is of another company than the one that is connected. Please use one of the same company.":
    "Este usuario de servicio es de otra empresa que la conectada. Use uno de la misma empresa.",
  "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.":
    "Este usuario de servicio no ve a nadie. Añádalo en Bob a un grupo de permisos que pueda ver «Basic info» de todos.",
};
