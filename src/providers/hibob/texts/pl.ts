export const pl = {
  "Service user ID": "Identyfikator użytkownika usługi",
  Token: "Token",
  "An administrator makes a service user in Bob. Bob shows its token once.":
    "Administrator tworzy w systemie Bob użytkownika usługi. Bob pokazuje jego token tylko raz.",
  "Time zone of the company": "Strefa czasowa firmy",
  "Working times in Bob have no time zone. Leave this empty for UTC.":
    "Bob podaje czas pracy bez strefy czasowej. Puste pole oznacza UTC.",
  "Please type a time zone, such as Europe/Berlin.":
    "Proszę wpisać strefę czasową, na przykład Europe/Berlin.",
  "This service user is of another company than the one that is connected. Please use one of the same company.":
    "Ten użytkownik usługi należy do innej firmy niż ta, która jest połączona. Proszę użyć użytkownika z tej samej firmy.",
  "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.":
    "Ten użytkownik usługi nikogo nie widzi. Proszę dodać go w systemie Bob do grupy uprawnień, która może wyświetlać „Basic info” wszystkich osób.",
};
