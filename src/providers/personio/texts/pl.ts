export const pl = {
  "Client ID": "Identyfikator klienta (client ID)",
  "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
    "Proszę utworzyć w ustawieniach Personio dane dostępowe API z prawem odczytu i z atrybutami pracowników, które mają być udostępnione.",
  "Client secret": "Sekret klienta (client secret)",
  "Time zone of the company": "Strefa czasowa firmy",
  "Working times in Personio have no time zone. Leave this empty for Europe/Berlin.":
    "Personio podaje czas pracy bez strefy czasowej. Puste pole oznacza Europe/Berlin.",
  "Please type a time zone, such as Europe/Berlin.":
    "Proszę wpisać strefę czasową, na przykład Europe/Berlin.",
  "These credentials are not known to belong to the company that is connected. Please use the same client ID as before, or credentials that may read its legal entities.":
    "Nie wiadomo, czy te dane dostępowe należą do połączonej firmy. Proszę użyć poprzedniego identyfikatora klienta lub danych dostępowych, które mogą odczytywać jej podmioty prawne.",
};
