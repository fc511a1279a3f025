export const it = {
  "Address of your Frappe site": "Indirizzo del Suo sito Frappe",
  "What your browser shows when you use Frappe HR or ERPNext.":
    "Quello mostrato dal browser quando usa Frappe HR o ERPNext.",
  "Please type a web address, such as https://example.frappe.cloud.":
    "Inserisca un indirizzo web, ad esempio https://example.frappe.cloud.",
  "There is no Frappe HR or ERPNext at this address.":
    "A questo indirizzo non c’è alcun Frappe HR o ERPNext.",
  "This site is too old to be read: it needs version 14 or newer.":
    "Questo sito è troppo vecchio per essere letto: serve la versione 14 o successiva.",
  "API secret": "Segreto API",
  "Frappe shows it once, when the keys are generated.":
    "Frappe lo mostra una sola volta, quando vengono generate le chiavi.",
  "Please paste it as Frappe shows it, without spaces.":
    "Lo incolli come lo mostra Frappe, senza spazi.",
  "Hours worked": "Ore lavorate",
  "Which records of Frappe say how long people worked.":
    "Quali registrazioni di Frappe indicano quanto si è lavorato.",
  Attendance: "Presenze",
  "Timesheets of projects": "Ore registrate sui progetti",
  "This is another site than the one that is connected. Please use the same address as before.":
    "Questo sito è diverso da quello collegato. Utilizzi lo stesso indirizzo di prima.",
  "User permissions hide some records from the user of this key. Use the key of a user without user permissions.":
    "Le autorizzazioni utente (User Permissions) nascondono alcune registrazioni all’utente di questa chiave. Utilizzi la chiave di un utente che non ne abbia.",
};
