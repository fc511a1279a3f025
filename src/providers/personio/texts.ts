import { textsOf } from "../kit/texts.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf(
  {
    "Client ID": {
      de: "Client-ID",
      es: "ID de cliente",
      fr: "ID client",
      it: "ID client",
      nl: "Client-ID",
      pl: "Identyfikator klienta (client ID)",
      pt: "ID de cliente",
    },
    "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
      {
        de: "Erstellen Sie in den Einstellungen von Personio API-Zugangsdaten mit Leserecht und den Mitarbeiterattributen, die Sie teilen möchten.",
        es: "Cree en los ajustes de Personio unas credenciales de API con permiso de lectura y con los atributos de empleados que quiera compartir.",
        fr: "Créez dans les paramètres de Personio des identifiants d'API avec le droit de lecture et les attributs des employés à partager.",
        it: "Crei nelle impostazioni di Personio delle credenziali API con il permesso di lettura e con gli attributi dei dipendenti da condividere.",
        nl: "Maak in de instellingen van Personio API-gegevens aan met leesrecht en met de kenmerken van medewerkers die u wilt delen.",
        pl: "Proszę utworzyć w ustawieniach Personio dane dostępowe API z prawem odczytu i z atrybutami pracowników, które mają być udostępnione.",
        pt: "Crie nas definições de Personio credenciais da API com permissão de leitura e com os atributos dos colaboradores que pretende partilhar.",
      },
    "Client secret": {
      de: "Client-Secret",
      es: "Secreto de cliente",
      fr: "Secret client",
      it: "Client secret",
      nl: "Client secret",
      pl: "Sekret klienta (client secret)",
      pt: "Segredo de cliente",
    },
    "Time zone of the company": {
      de: "Zeitzone der Firma",
      es: "Zona horaria de la empresa",
      fr: "Fuseau horaire de l'entreprise",
      it: "Fuso orario dell’azienda",
      nl: "Tijdzone van het bedrijf",
      pl: "Strefa czasowa firmy",
      pt: "Fuso horário da empresa",
    },
    "Working times in Personio have no time zone. Leave this empty for Europe/Berlin.": {
      de: "Personio nennt Arbeitszeiten ohne Zeitzone. Lassen Sie dieses Feld für Europe/Berlin leer.",
      es: "Personio da las horas de trabajo sin zona horaria. Deje este campo vacío para Europe/Berlin.",
      fr: "Personio donne les heures de travail sans fuseau horaire. Laissez ce champ vide pour Europe/Berlin.",
      it: "Personio fornisce gli orari di lavoro senza fuso orario. Lasci vuoto questo campo per Europe/Berlin.",
      nl: "Personio geeft werktijden zonder tijdzone door. Laat dit veld leeg voor Europe/Berlin.",
      pl: "Personio podaje czas pracy bez strefy czasowej. Puste pole oznacza Europe/Berlin.",
      pt: "Personio indica as horas de trabalho sem fuso horário. Deixe este campo vazio para Europe/Berlin.",
    },
    "Please type a time zone, such as Europe/Berlin.": {
      de: "Bitte geben Sie eine Zeitzone ein, zum Beispiel Europe/Berlin.",
      es: "Escriba una zona horaria, por ejemplo Europe/Berlin.",
      fr: "Veuillez saisir un fuseau horaire, par exemple Europe/Berlin.",
      it: "Inserisca un fuso orario, ad esempio Europe/Berlin.",
      nl: "Vul een tijdzone in, bijvoorbeeld Europe/Berlin.",
      pl: "Proszę wpisać strefę czasową, na przykład Europe/Berlin.",
      pt: "Introduza um fuso horário, por exemplo Europe/Berlin.",
    },
    "These credentials are not known to belong to the company that is connected. Please use the same client ID as before, or credentials that may read its legal entities.":
      {
        de: "Es ist nicht bekannt, ob diese Zugangsdaten zur verbundenen Firma gehören. Bitte verwenden Sie die bisherige Client-ID oder Zugangsdaten, die deren Rechtsträger lesen dürfen.",
        es: "No consta que estas credenciales sean de la empresa conectada. Use el ID de cliente anterior o unas credenciales que puedan leer sus entidades jurídicas.",
        fr: "Rien n'indique que ces identifiants sont ceux de l'entreprise connectée. Veuillez utiliser l'ID client précédent ou des identifiants qui peuvent lire ses entités juridiques.",
        it: "Non risulta che queste credenziali appartengano all’azienda collegata. Utilizzi l’ID client precedente o credenziali che possano leggerne le entità giuridiche.",
        nl: "Het is niet bekend of deze gegevens bij het gekoppelde bedrijf horen. Gebruik de vorige client-ID, of gegevens die de rechtspersonen van het bedrijf mogen lezen.",
        pl: "Nie wiadomo, czy te dane dostępowe należą do połączonej firmy. Proszę użyć poprzedniego identyfikatora klienta lub danych dostępowych, które mogą odczytywać jej podmioty prawne.",
        pt: "Não se sabe se estas credenciais são da empresa ligada. Utilize o ID de cliente anterior ou credenciais que possam ler as suas entidades jurídicas.",
      },
  },
  recipeTexts,
);
