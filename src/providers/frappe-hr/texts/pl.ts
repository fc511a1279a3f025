export const pl = {
  "Address of your Frappe site": "Adres Państwa witryny Frappe",
  "What your browser shows when you use Frappe HR or ERPNext.":
    "Adres, który pokazuje przeglądarka podczas korzystania z Frappe HR lub ERPNext.",
  "Please type a web address, such as https://example.frappe.cloud.":
    "Proszę wpisać adres internetowy, na przykład https://example.frappe.cloud.",
  "There is no Frappe HR or ERPNext at this address.":
    "Pod tym adresem nie ma Frappe HR ani ERPNext.",
  "This site is too old to be read: it needs version 14 or newer.":
    "Ta witryna jest zbyt stara, aby ją odczytać: potrzebna jest wersja 14 lub nowsza.",
  "API secret": "Sekret API",
  "Frappe shows it once, when the keys are generated.":
    "Frappe pokazuje go tylko raz, podczas generowania kluczy.",
  "Please paste it as Frappe shows it, without spaces.":
    "Proszę wkleić go tak, jak pokazuje Frappe, bez spacji.",
  "Hours worked": "Przepracowane godziny",
  "Which records of Frappe say how long people worked.":
    "Które zapisy w systemie Frappe określają czas pracy.",
  Attendance: "Obecność",
  "Timesheets of projects": "Czas pracy w projektach",
  "This is another site than the one that is connected. Please use the same address as before.":
    "To inna witryna niż ta, która jest połączona. Proszę użyć tego samego adresu co poprzednio.",
  "User permissions hide some records from the user of this key. Use the key of a user without user permissions.":
    "Uprawnienia użytkownika (User Permissions) ukrywają część zapisów przed użytkownikiem tego klucza. Proszę użyć klucza użytkownika bez takich uprawnień.",
};
