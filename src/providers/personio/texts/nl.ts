export const nl = {
  "Client ID": "Client-ID",
  "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
    "Maak in de instellingen van Personio API-gegevens aan met leesrecht en met de kenmerken van medewerkers die u wilt delen.",
  "Client secret": "Client secret",
  "Time zone of the company": "Tijdzone van het bedrijf",
  "Working times in Personio have no time zone. Leave this empty for Europe/Berlin.":
    "Personio geeft werktijden zonder tijdzone door. Laat dit veld leeg voor Europe/Berlin.",
  "Please type a time zone, such as Europe/Berlin.":
    "Vul een tijdzone in, bijvoorbeeld Europe/Berlin.",
  "These credentials are not known to belong to the company that is connected. Please use the same client ID as before, or credentials that may read its legal entities.":
    "Het is niet bekend of deze gegevens bij het gekoppelde bedrijf horen. Gebruik de vorige client-ID, of gegevens die de rechtspersonen van het bedrijf mogen lezen.",
};
