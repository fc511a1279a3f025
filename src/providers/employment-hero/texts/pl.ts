export const pl = {
  Australia: "Australia",
  "New Zealand": "Nowa Zelandia",
  "United Kingdom": "Wielka Brytania",
  Singapore: "Singapur",
  Malaysia: "Malezja",
  "Country of the payroll": "Kraj rozliczania płac",
  "It can do all that its user can, and write too. A new key ends the one that the user had before.":
    "Pozwala na wszystko, co może jego użytkownik, także na zapis. Nowy klucz unieważnia ten, który użytkownik miał wcześniej.",
  "This key does not reach the business that was connected before. Use the key of a user who may see it.":
    "Ten klucz nie daje dostępu do firmy, która była wcześniej połączona. Proszę użyć klucza użytkownika, który może ją widzieć.",
  "Which business do you want to connect?": "Którą firmę połączyć?",
  "This key reaches no business. Use the key of a user who may see the business.":
    "Ten klucz nie daje dostępu do żadnej firmy. Proszę użyć klucza użytkownika, który może widzieć firmę.",
};
