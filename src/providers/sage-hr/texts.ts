import { textsOf } from "../kit/texts.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf(
  {
    Subdomain: {
      de: "Subdomain",
      es: "Subdominio",
      fr: "Sous-domaine",
      it: "Sottodominio",
      nl: "Subdomein",
      pl: "Subdomena",
      pt: "Subdomínio",
    },
    "The part before .sage.hr in the address that your browser shows.": {
      de: "Der Teil vor .sage.hr in der Adresse, die Ihr Browser anzeigt.",
      es: "La parte anterior a .sage.hr de la dirección que muestra su navegador.",
      fr: "La partie avant .sage.hr dans l’adresse qu’affiche votre navigateur.",
      it: "La parte prima di .sage.hr nell’indirizzo mostrato dal browser.",
      nl: "Het deel vóór .sage.hr in het adres dat uw browser toont.",
      pl: "Część przed .sage.hr w adresie, który pokazuje przeglądarka.",
      pt: "A parte antes de .sage.hr no endereço que o seu navegador mostra.",
    },
    "Please type the part before .sage.hr, such as example.": {
      de: "Bitte geben Sie den Teil vor .sage.hr ein, zum Beispiel example.",
      es: "Escriba la parte anterior a .sage.hr, por ejemplo example.",
      fr: "Saisissez la partie avant .sage.hr, par exemple example.",
      it: "Inserisca la parte prima di .sage.hr, ad esempio example.",
      nl: "Vul het deel vóór .sage.hr in, bijvoorbeeld example.",
      pl: "Proszę wpisać część przed .sage.hr, na przykład example.",
      pt: "Introduza a parte antes de .sage.hr, por exemplo example.",
    },
    "In Sage HR, an administrator finds it under Settings, Integrations, API.": {
      de: "In Sage HR finden Administratoren ihn unter Settings, Integrations, API.",
      es: "En Sage HR, los administradores la encuentran en Settings, Integrations, API.",
      fr: "Dans Sage HR, les administrateurs la trouvent sous Settings, Integrations, API.",
      it: "In Sage HR gli amministratori la trovano in Settings, Integrations, API.",
      nl: "In Sage HR vindt een beheerder de sleutel onder Settings, Integrations, API.",
      pl: "W Sage HR administrator znajdzie go w sekcji Settings, Integrations, API.",
      pt: "Em Sage HR, os administradores encontram-na em Settings, Integrations, API.",
    },
    "There is no Sage HR account with this subdomain.": {
      de: "Es gibt kein Sage-HR-Konto mit dieser Subdomain.",
      es: "No hay ninguna cuenta de Sage HR con este subdominio.",
      fr: "Aucun compte Sage HR n’a ce sous-domaine.",
      it: "Non esiste alcun account Sage HR con questo sottodominio.",
      nl: "Er is geen Sage HR-account met dit subdomein.",
      pl: "Nie ma konta Sage HR z tą subdomeną.",
      pt: "Não existe nenhuma conta de Sage HR com este subdomínio.",
    },
    "This is another company than the one that is connected. Please use the same subdomain as before.":
      {
        de: "Dies ist eine andere Firma als die verbundene. Bitte verwenden Sie dieselbe Subdomain wie zuvor.",
        es: "Esta empresa no es la que está conectada. Utilice el mismo subdominio que antes.",
        fr: "Cette entreprise n’est pas celle qui est connectée. Utilisez le même sous-domaine que précédemment.",
        it: "Questa azienda è diversa da quella collegata. Utilizzi lo stesso sottodominio di prima.",
        nl: "Dit is een ander bedrijf dan het gekoppelde. Gebruik hetzelfde subdomein als voorheen.",
        pl: "To inna firma niż ta, która jest połączona. Proszę użyć tej samej subdomeny co poprzednio.",
        pt: "Esta empresa não é a que está ligada. Utilize o mesmo subdomínio que antes.",
      },
  },
  recipeTexts,
);
