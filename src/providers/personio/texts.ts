import type { ProviderTexts } from "../contract.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts: ProviderTexts = {
  de: {
    ...recipeTexts.de,
    "Client ID": "Client-ID",
    "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
      "Erstellen Sie in den Einstellungen von Personio API-Zugangsdaten mit Leserecht und den Mitarbeiterattributen, die Sie teilen möchten.",
    "Client secret": "Client-Secret",
    "Time zone of the company": "Zeitzone der Firma",
    "Personio gives working times without it. Leave this empty for Europe/Berlin.":
      "Personio nennt Arbeitszeiten ohne Zeitzone. Lassen Sie dieses Feld für Europe/Berlin leer.",
    "Please type a time zone, such as Europe/Berlin.":
      "Bitte geben Sie eine Zeitzone ein, zum Beispiel Europe/Berlin.",
    "These credentials are not known to belong to the company that is connected. Please use the client ID of before, or credentials that may read its legal entities.":
      "Es ist nicht bekannt, ob diese Zugangsdaten zur verbundenen Firma gehören. Bitte verwenden Sie die bisherige Client-ID oder Zugangsdaten, die deren Rechtsträger lesen dürfen.",
  },
  es: {
    ...recipeTexts.es,
    "Client ID": "ID de cliente",
    "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
      "Cree en los ajustes de Personio unas credenciales de API con permiso de lectura y con los atributos de empleados que quiera compartir.",
    "Client secret": "Secreto de cliente",
    "Time zone of the company": "Zona horaria de la empresa",
    "Personio gives working times without it. Leave this empty for Europe/Berlin.":
      "Personio da las horas de trabajo sin zona horaria. Deje este campo vacío para Europe/Berlin.",
    "Please type a time zone, such as Europe/Berlin.":
      "Escriba una zona horaria, por ejemplo Europe/Berlin.",
    "These credentials are not known to belong to the company that is connected. Please use the client ID of before, or credentials that may read its legal entities.":
      "No consta que estas credenciales sean de la empresa conectada. Use el ID de cliente anterior o unas credenciales que puedan leer sus entidades jurídicas.",
  },
  fr: {
    ...recipeTexts.fr,
    "Client ID": "ID client",
    "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
      "Créez dans les paramètres de Personio des identifiants d'API avec le droit de lecture et les attributs des employés à partager.",
    "Client secret": "Secret client",
    "Time zone of the company": "Fuseau horaire de l'entreprise",
    "Personio gives working times without it. Leave this empty for Europe/Berlin.":
      "Personio donne les heures de travail sans fuseau horaire. Laissez ce champ vide pour Europe/Berlin.",
    "Please type a time zone, such as Europe/Berlin.":
      "Veuillez saisir un fuseau horaire, par exemple Europe/Berlin.",
    "These credentials are not known to belong to the company that is connected. Please use the client ID of before, or credentials that may read its legal entities.":
      "Rien n'indique que ces identifiants sont ceux de l'entreprise connectée. Veuillez utiliser l'ID client précédent ou des identifiants qui peuvent lire ses entités juridiques.",
  },
};
