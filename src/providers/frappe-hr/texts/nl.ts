export const nl = {
  "Address of your Frappe site": "Adres van uw Frappe-site",
  "What your browser shows when you use Frappe HR or ERPNext.":
    "Het adres dat uw browser toont wanneer u Frappe HR of ERPNext gebruikt.",
  "Please type a web address, such as https://example.frappe.cloud.":
    "Vul een webadres in, bijvoorbeeld https://example.frappe.cloud.",
  "There is no Frappe HR or ERPNext at this address.": "Op dit adres is geen Frappe HR of ERPNext.",
  "This site is too old to be read: it needs version 14 or newer.":
    "Deze site is te oud om te worden gelezen: versie 14 of nieuwer is nodig.",
  "API secret": "API-geheim",
  "Frappe shows it once, when the keys are generated.":
    "Frappe toont het één keer, wanneer de sleutels worden aangemaakt.",
  "Please paste it as Frappe shows it, without spaces.":
    "Plak het zoals Frappe het toont, zonder spaties.",
  "Hours worked": "Gewerkte uren",
  "Which records of Frappe say how long people worked.":
    "Welke records van Frappe aangeven hoelang er is gewerkt.",
  Attendance: "Aanwezigheid",
  "Timesheets of projects": "Urenregistratie van projecten",
  "This is another site than the one that is connected. Please use the same address as before.":
    "Dit is een andere site dan de gekoppelde. Gebruik hetzelfde adres als voorheen.",
  "User permissions hide some records from the user of this key. Use the key of a user without user permissions.":
    "Gebruikersmachtigingen (User Permissions) verbergen records voor de gebruiker van deze sleutel. Gebruik de sleutel van een gebruiker zonder zulke machtigingen.",
};
