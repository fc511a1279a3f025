export const es = {
  "Address of your Odoo": "Dirección de su Odoo",
  "What your browser shows when you use Odoo.": "La que muestra su navegador cuando utiliza Odoo.",
  "Please type a web address, such as https://example.odoo.com.":
    "Escriba una dirección web, por ejemplo https://example.odoo.com.",
  Database: "Base de datos",
  "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.":
    "Deje este campo vacío si su Odoo solo tiene una. En odoo.com es la parte anterior a .odoo.com.",
  "There is no Odoo at this address.": "En esta dirección no hay ningún Odoo.",
  "There is no such database at this address.": "En esta dirección no existe esa base de datos.",
  "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.":
    "Este Odoo tiene varias bases de datos. Escriba el nombre de la suya o pídaselo a su administrador.",
  "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.":
    "Este Odoo no indica el nombre de su base de datos. Escríbalo o pídaselo a su administrador.",
  "This is another Odoo than the one that is connected. Please use the same address and database as before.":
    "Este no es el Odoo que está conectado. Utilice la misma dirección y la misma base de datos que antes.",
  "Code from your authenticator app or from the e-mail that Odoo sent you":
    "Código de su aplicación de autenticación o del correo electrónico que Odoo le ha enviado",
  "This account does not have the company that is connected. Please use another account of your Odoo.":
    "Esta cuenta no tiene acceso a la empresa conectada. Utilice otra cuenta de su Odoo.",
  "This account may read nothing of what is asked for. In Odoo it lacks the right {right}.":
    "Esta cuenta no puede leer nada de lo que se pide. En Odoo le falta el permiso {right}.",
  "This Odoo is version {version}. The oldest that can be read is version 14.":
    "Este Odoo es la versión {version}. La más antigua que se puede leer es la versión 14.",
  "This Odoo is version {version}. The oldest that can be read with an API key is version 19.":
    "Este Odoo es la versión {version}. La más antigua que se puede leer con una clave API es la versión 19.",
  "Which company?": "¿Qué empresa?",
  Timesheets: "Hojas de horas",
  "Which records of Odoo say how long people worked.":
    "Qué registros de Odoo indican cuánto tiempo se ha trabajado.",
  Attendances: "Asistencias",
  "Timesheets of projects": "Hojas de horas de los proyectos",
  "Categories of salary rules": "Categorías de las reglas salariales",
  "Only if your payroll has categories of its own: the code of each and what it is.":
    "Solo si su nómina tiene categorías propias: el código de cada una y lo que es.",
  "Please type codes such as INCTAX=tax, with a comma between two.":
    "Escriba códigos como INCTAX=tax, separados por comas.",
  "You make it in Odoo under My Preferences, Security. It has your rights.":
    "La crea en Odoo, en «Mis preferencias», «Seguridad». Tiene sus permisos.",
};
