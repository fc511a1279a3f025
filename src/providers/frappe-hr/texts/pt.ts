export const pt = {
  "Address of your Frappe site": "Endereço do seu site Frappe",
  "What your browser shows when you use Frappe HR or ERPNext.":
    "O que o seu navegador mostra quando utiliza Frappe HR ou ERPNext.",
  "Please type a web address, such as https://example.frappe.cloud.":
    "Introduza um endereço web, por exemplo https://example.frappe.cloud.",
  "There is no Frappe HR or ERPNext at this address.":
    "Neste endereço não há nenhum Frappe HR nem ERPNext.",
  "This site is too old to be read: it needs version 14 or newer.":
    "Este site é demasiado antigo para ser lido: é necessária a versão 14 ou posterior.",
  "API secret": "Segredo da API",
  "Frappe shows it once, when the keys are generated.":
    "Frappe mostra-o uma só vez, quando as chaves são geradas.",
  "Please paste it as Frappe shows it, without spaces.":
    "Cole-o tal como Frappe o mostra, sem espaços.",
  "Hours worked": "Horas trabalhadas",
  "Which records of Frappe say how long people worked.":
    "Que dados de Frappe indicam quanto tempo se trabalhou.",
  Attendance: "Presenças",
  "Timesheets of projects": "Horas dos projetos",
  "This is another site than the one that is connected. Please use the same address as before.":
    "Este site não é o que está ligado. Utilize o mesmo endereço que antes.",
  "User permissions hide some records from the user of this key. Use the key of a user without user permissions.":
    "As permissões de utilizador (User Permissions) ocultam alguns dados ao utilizador desta chave. Utilize a chave de um utilizador que não as tenha.",
};
