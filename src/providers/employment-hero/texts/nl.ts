export const nl = {
  Australia: "Australië",
  "New Zealand": "Nieuw-Zeeland",
  "United Kingdom": "Verenigd Koninkrijk",
  Singapore: "Singapore",
  Malaysia: "Maleisië",
  "Country of the payroll": "Land van de salarisadministratie",
  "It can do all that its user can, and write too. A new key ends the one that the user had before.":
    "De sleutel kan alles wat de gebruiker ervan kan, ook schrijven. Een nieuwe sleutel vervangt de sleutel die de gebruiker eerder had.",
  "This key does not reach the business that was connected before. Use the key of a user who may see it.":
    "Deze sleutel geeft geen toegang tot het bedrijf dat eerder is gekoppeld. Gebruik de sleutel van een gebruiker die het mag zien.",
  "Which business do you want to connect?": "Welk bedrijf wilt u koppelen?",
  "This key reaches no business. Use the key of a user who may see the business.":
    "Deze sleutel geeft tot geen enkel bedrijf toegang. Gebruik de sleutel van een gebruiker die het bedrijf mag zien.",
};
