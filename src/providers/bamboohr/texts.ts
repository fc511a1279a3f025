import { textsOf } from "../kit/texts.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf(
  {
    "Company domain": {
      de: "Domain der Firma",
      es: "Dominio de la empresa",
      fr: "Domaine de l’entreprise",
      it: "Dominio aziendale",
      nl: "Bedrijfsdomein",
      pl: "Domena firmy",
      pt: "Domínio da empresa",
    },
    "The part before .bamboohr.com in the address that your browser shows.": {
      de: "Der Teil vor .bamboohr.com in der Adresse, die Ihr Browser anzeigt.",
      es: "La parte anterior a .bamboohr.com de la dirección que muestra su navegador.",
      fr: "La partie avant .bamboohr.com dans l’adresse que votre navigateur affiche.",
      it: "La parte prima di .bamboohr.com nell’indirizzo mostrato dal browser.",
      nl: "Het deel vóór .bamboohr.com in het adres dat uw browser toont.",
      pl: "Część przed .bamboohr.com w adresie, który pokazuje przeglądarka.",
      pt: "A parte antes de .bamboohr.com no endereço que o seu navegador mostra.",
    },
    "Please type the part before .bamboohr.com, such as example.": {
      de: "Bitte geben Sie den Teil vor .bamboohr.com ein, zum Beispiel example.",
      es: "Escriba la parte anterior a .bamboohr.com, por ejemplo example.",
      fr: "Saisissez la partie avant .bamboohr.com, par exemple example.",
      it: "Inserisca la parte prima di .bamboohr.com, ad esempio example.",
      nl: "Vul het deel vóór .bamboohr.com in, bijvoorbeeld example.",
      pl: "Proszę wpisać część przed .bamboohr.com, na przykład example.",
      pt: "Introduza a parte antes de .bamboohr.com, por exemplo example.",
    },
    "In BambooHR, click your profile picture and choose API Keys. A key is shown once.": {
      de: "Klicken Sie in BambooHR auf Ihr Profilbild und wählen Sie API Keys. Ein Schlüssel wird nur einmal angezeigt.",
      es: "En BambooHR, haga clic en su foto de perfil y elija API Keys. Una clave se muestra una sola vez.",
      fr: "Dans BambooHR, cliquez sur votre photo de profil et choisissez API Keys. Une clé n’est affichée qu’une fois.",
      it: "In BambooHR faccia clic sull’immagine del profilo e scelga API Keys. Una chiave viene mostrata una sola volta.",
      nl: "Klik in BambooHR op uw profielfoto en kies API Keys. Een sleutel wordt maar één keer getoond.",
      pl: "W systemie BambooHR proszę kliknąć swoje zdjęcie profilowe i wybrać API Keys. Klucz jest pokazywany tylko raz.",
      pt: "Em BambooHR, clique na sua foto de perfil e escolha API Keys. Uma chave só é mostrada uma vez.",
    },
    "There is no BambooHR account with this domain.": {
      de: "Es gibt kein BambooHR-Konto mit dieser Domain.",
      es: "No hay ninguna cuenta de BambooHR con este dominio.",
      fr: "Il n’existe pas de compte BambooHR avec ce domaine.",
      it: "Non esiste alcun account BambooHR con questo dominio.",
      nl: "Er is geen BambooHR-account met dit domein.",
      pl: "Nie ma konta BambooHR z tą domeną.",
      pt: "Não existe nenhuma conta de BambooHR com este domínio.",
    },
    "This is another company than the one that is connected. Please use the same domain as before.":
      {
        de: "Dies ist eine andere Firma als die verbundene. Bitte verwenden Sie dieselbe Domain wie zuvor.",
        es: "Es una empresa distinta de la que está conectada. Utilice el mismo dominio que antes.",
        fr: "Il s’agit d’une autre entreprise que celle qui est connectée. Utilisez le même domaine qu’auparavant.",
        it: "Questa azienda è diversa da quella collegata. Utilizzi lo stesso dominio di prima.",
        nl: "Dit is een ander bedrijf dan het gekoppelde. Gebruik hetzelfde domein als voorheen.",
        pl: "To inna firma niż ta, która jest połączona. Proszę użyć tej samej domeny co poprzednio.",
        pt: "Esta empresa não é a que está ligada. Utilize o mesmo domínio que antes.",
      },
  },
  recipeTexts,
);
