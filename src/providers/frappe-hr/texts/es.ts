export const es = {
  "Address of your Frappe site": "Dirección de su sitio de Frappe",
  "What your browser shows when you use Frappe HR or ERPNext.":
    "La que muestra su navegador cuando usa Frappe HR o ERPNext.",
  "Please type a web address, such as https://example.frappe.cloud.":
    "Escriba una dirección web, por ejemplo https://example.frappe.cloud.",
  "There is no Frappe HR or ERPNext at this address.":
    "En esta dirección no hay ningún Frappe HR ni ERPNext.",
  "This site is too old to be read: it needs version 14 or newer.":
    "Este sitio es demasiado antiguo para leerse: necesita la versión 14 o una posterior.",
  "API secret": "Secreto de API",
  "Frappe shows it once, when the keys are generated.":
    "Frappe lo muestra una sola vez, al generar las claves.",
  "Please paste it as Frappe shows it, without spaces.":
    "Péguelo tal como lo muestra Frappe, sin espacios.",
  "Hours worked": "Horas trabajadas",
  "Which records of Frappe say how long people worked.":
    "Qué registros de Frappe indican cuánto se ha trabajado.",
  Attendance: "Asistencia",
  "Timesheets of projects": "Hojas de horas de los proyectos",
  "This is another site than the one that is connected. Please use the same address as before.":
    "Este sitio no es el que está conectado. Utilice la misma dirección que antes.",
  "User permissions hide some records from the user of this key. Use the key of a user without user permissions.":
    "Los permisos de usuario (User Permissions) ocultan algunos registros al usuario de esta clave. Use la clave de un usuario que no los tenga.",
};
