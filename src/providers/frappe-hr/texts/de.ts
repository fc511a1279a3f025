export const de = {
  "Address of your Frappe site": "Adresse Ihrer Frappe-Site",
  "What your browser shows when you use Frappe HR or ERPNext.":
    "Was Ihr Browser anzeigt, wenn Sie Frappe HR oder ERPNext verwenden.",
  "Please type a web address, such as https://example.frappe.cloud.":
    "Bitte geben Sie eine Webadresse ein, zum Beispiel https://example.frappe.cloud.",
  "There is no Frappe HR or ERPNext at this address.":
    "Unter dieser Adresse gibt es kein Frappe HR oder ERPNext.",
  "This site is too old to be read: it needs version 14 or newer.":
    "Diese Site ist zu alt, um gelesen zu werden: Sie braucht Version 14 oder neuer.",
  "API secret": "API-Geheimnis",
  "Frappe shows it once, when the keys are generated.":
    "Frappe zeigt es einmal an, wenn die Schlüssel erzeugt werden.",
  "Please paste it as Frappe shows it, without spaces.":
    "Bitte fügen Sie ein, was Frappe anzeigt, ohne Leerzeichen.",
  "Hours worked": "Arbeitszeit",
  "Which records of Frappe say how long people worked.":
    "Welche Einträge in Frappe sagen, wie lange gearbeitet wurde.",
  Attendance: "Anwesenheit",
  "Timesheets of projects": "Zeiterfassung der Projekte",
  "This is another site than the one that is connected. Please use the same address as before.":
    "Dies ist eine andere Site als die verbundene. Bitte verwenden Sie dieselbe Adresse wie zuvor.",
  "User permissions hide some records from the user of this key. Use the key of a user without user permissions.":
    "Benutzerberechtigungen (User Permissions) verbergen dem Benutzer dieses Schlüssels einige Einträge. Verwenden Sie den Schlüssel eines Benutzers ohne solche.",
};
