export const fr = {
  "Address of your Frappe site": "Adresse de votre site Frappe",
  "What your browser shows when you use Frappe HR or ERPNext.":
    "Celle qu’affiche votre navigateur quand vous utilisez Frappe HR ou ERPNext.",
  "Please type a web address, such as https://example.frappe.cloud.":
    "Saisissez une adresse web, par exemple https://example.frappe.cloud.",
  "There is no Frappe HR or ERPNext at this address.":
    "Il n’y a ni Frappe HR ni ERPNext à cette adresse.",
  "This site is too old to be read: it needs version 14 or newer.":
    "Ce site est trop ancien pour être lu : il lui faut la version 14 ou une version ultérieure.",
  "API secret": "Secret d’API",
  "Frappe shows it once, when the keys are generated.":
    "Frappe l’affiche une seule fois, quand les clés sont générées.",
  "Please paste it as Frappe shows it, without spaces.":
    "Collez-le tel que Frappe l’affiche, sans espaces.",
  "Hours worked": "Heures travaillées",
  "Which records of Frappe say how long people worked.":
    "Quels enregistrements de Frappe disent combien de temps on a travaillé.",
  Attendance: "Présence",
  "Timesheets of projects": "Feuilles de temps des projets",
  "This is another site than the one that is connected. Please use the same address as before.":
    "Ce site n’est pas celui qui est connecté. Utilisez la même adresse que précédemment.",
  "User permissions hide some records from the user of this key. Use the key of a user without user permissions.":
    "Des autorisations utilisateur (User Permissions) cachent des enregistrements à l’utilisateur de cette clé. Utilisez la clé d’un utilisateur qui n’en a pas.",
};
