import type { ProviderTexts } from "../contract.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts: ProviderTexts = {
  de: {
    ...recipeTexts.de,
    "Company domain": "Domain der Firma",
    "The part before .bamboohr.com in the address that your browser shows.":
      "Der Teil vor .bamboohr.com in der Adresse, die Ihr Browser anzeigt.",
    "Please type the part before .bamboohr.com, such as example.":
      "Bitte geben Sie den Teil vor .bamboohr.com ein, zum Beispiel example.",
    "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
      "Klicken Sie in BambooHR auf Ihr Profilbild und wählen Sie API Keys. Ein Schlüssel wird nur einmal angezeigt.",
    "There is no BambooHR account with this domain.":
      "Es gibt kein BambooHR-Konto mit dieser Domain.",
    "This is another company than the one that is connected. Please use the same domain as before.":
      "Dies ist eine andere Firma als die verbundene. Bitte verwenden Sie dieselbe Domain wie zuvor.",
  },
  es: {
    ...recipeTexts.es,
    "Company domain": "Dominio de la empresa",
    "The part before .bamboohr.com in the address that your browser shows.":
      "La parte anterior a .bamboohr.com de la dirección que muestra su navegador.",
    "Please type the part before .bamboohr.com, such as example.":
      "Escriba la parte anterior a .bamboohr.com, por ejemplo example.",
    "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
      "En BambooHR, haga clic en su foto de perfil y elija API Keys. Una clave se muestra una sola vez.",
    "There is no BambooHR account with this domain.":
      "No hay ninguna cuenta de BambooHR con este dominio.",
    "This is another company than the one that is connected. Please use the same domain as before.":
      "Es una empresa distinta de la que está conectada. Utilice el mismo dominio que antes.",
  },
  fr: {
    ...recipeTexts.fr,
    "Company domain": "Domaine de l’entreprise",
    "The part before .bamboohr.com in the address that your browser shows.":
      "La partie avant .bamboohr.com dans l’adresse que votre navigateur affiche.",
    "Please type the part before .bamboohr.com, such as example.":
      "Saisissez la partie avant .bamboohr.com, par exemple example.",
    "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
      "Dans BambooHR, cliquez sur votre photo de profil et choisissez API Keys. Une clé n’est affichée qu’une fois.",
    "There is no BambooHR account with this domain.":
      "Il n’existe pas de compte BambooHR avec ce domaine.",
    "This is another company than the one that is connected. Please use the same domain as before.":
      "Il s’agit d’une autre entreprise que celle qui est connectée. Utilisez le même domaine qu’auparavant.",
  },
};
