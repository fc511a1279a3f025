export const pl = {
  "Address of your Odoo": "Adres Państwa systemu Odoo",
  "What your browser shows when you use Odoo.":
    "Adres, który pokazuje przeglądarka podczas korzystania z Odoo.",
  "Please type a web address, such as https://example.odoo.com.":
    "Proszę wpisać adres internetowy, na przykład https://example.odoo.com.",
  Database: "Baza danych",
  "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.":
    "Proszę zostawić to pole puste, jeśli Odoo ma tylko jedną bazę. W odoo.com jest to część przed .odoo.com.",
  "There is no Odoo at this address.": "Pod tym adresem nie ma systemu Odoo.",
  "There is no such database at this address.": "Pod tym adresem nie ma takiej bazy danych.",
  "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.":
    "Ten system Odoo ma kilka baz danych. Proszę wpisać nazwę swojej bazy lub zapytać o nią administratora.",
  "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.":
    "Ten system Odoo nie podaje nazwy swojej bazy danych. Proszę ją wpisać lub zapytać o nią administratora.",
  "This is another Odoo than the one that is connected. Please use the same address and database as before.":
    "To inny system Odoo niż ten, który jest połączony. Proszę użyć tego samego adresu i tej samej bazy danych co poprzednio.",
  "Code from your authenticator app or from the e-mail that Odoo sent you":
    "Kod z aplikacji uwierzytelniającej lub z wiadomości e-mail wysłanej przez Odoo",
  "This account does not have the company that is connected. Please use another account of your Odoo.":
    "To konto nie ma dostępu do połączonej firmy. Proszę użyć innego konta w tym systemie Odoo.",
  "This account may read nothing of what is asked for. In Odoo it lacks the right {right}.":
    "To konto nie może odczytać niczego z wymaganych danych. W Odoo brakuje mu uprawnienia {right}.",
  "This Odoo is version {version}. The oldest that can be read is version 14.":
    "Ten system Odoo ma wersję {version}. Najstarsza, którą można odczytać, to wersja 14.",
  "This Odoo is version {version}. The oldest that can be read with an API key is version 19.":
    "Ten system Odoo ma wersję {version}. Najstarsza, którą można odczytać za pomocą klucza API, to wersja 19.",
  "Which company?": "Która firma?",
  Timesheets: "Karty pracy",
  "Which records of Odoo say how long people worked.": "Które zapisy w Odoo określają czas pracy.",
  Attendances: "Obecności",
  "Timesheets of projects": "Karty pracy w projektach",
  "Categories of salary rules": "Kategorie reguł płacowych",
  "Only if your payroll has categories of its own: the code of each and what it is.":
    "Tylko jeśli system płacowy ma własne kategorie: kod każdej z nich i jej znaczenie.",
  "Please type codes such as INCTAX=tax, with a comma between two.":
    "Proszę wpisać kody takie jak INCTAX=tax, oddzielone przecinkami.",
  "You make it in Odoo under My Preferences, Security. It has your rights.":
    "Tworzy się go w Odoo, w sekcji „Moje preferencje”, „Zabezpieczenia”. Ma uprawnienia swojego użytkownika.",
};
