export const es = {
  "Client ID": "ID de cliente",
  "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
    "Cree en los ajustes de Personio unas credenciales de API con permiso de lectura y con los atributos de empleados que quiera compartir.",
  "Client secret": "Secreto de cliente",
  "Time zone of the company": "Zona horaria de la empresa",
  "Working times in Personio have no time zone. Leave this empty for Europe/Berlin.":
    "Personio da las horas de trabajo sin zona horaria. Deje este campo vacío para Europe/Berlin.",
  "Please type a time zone, such as Europe/Berlin.":
    "Escriba una zona horaria, por ejemplo Europe/Berlin.",
  "These credentials are not known to belong to the company that is connected. Please use the same client ID as before, or credentials that may read its legal entities.":
    "No consta que estas credenciales sean de la empresa conectada. Use el ID de cliente anterior o unas credenciales que puedan leer sus entidades jurídicas.",
};
