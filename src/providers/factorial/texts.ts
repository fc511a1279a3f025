import { textsOf } from "../kit/texts.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf(
  {
    "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.":
      {
        de: "Administratoren erstellen ihn in Factorial. Er öffnet alles im Unternehmen und läuft nie von selbst ab.",
        es: "Los administradores la crean en Factorial. Da acceso a todo lo de la empresa y nunca caduca por sí sola.",
        fr: "Les administrateurs la créent dans Factorial. Elle ouvre tout ce qui est à l’entreprise et n’expire jamais d’elle-même.",
        it: "Un amministratore la crea in Factorial. Dà accesso a tutti i dati dell’azienda e non scade mai da sola.",
        nl: "Een beheerder maakt de sleutel in Factorial. De sleutel geeft toegang tot alles van het bedrijf en verloopt nooit vanzelf.",
        pl: "Tworzy go administrator w systemie Factorial. Daje dostęp do wszystkich danych firmy i nigdy sam nie wygasa.",
        pt: "Um administrador cria-a em Factorial. Dá acesso a tudo o que é da empresa e nunca expira por si.",
      },
    "This is another company than the one that is connected. Please use the same one as before.": {
      de: "Dies ist ein anderes Unternehmen als das verbundene. Bitte verwenden Sie dasselbe wie zuvor.",
      es: "Esta no es la empresa conectada. Utilice la misma que antes.",
      fr: "Cette entreprise n’est pas celle qui est connectée. Utilisez la même que précédemment.",
      it: "Questa azienda è diversa da quella collegata. Utilizzi la stessa di prima.",
      nl: "Dit is een ander bedrijf dan het gekoppelde. Gebruik hetzelfde bedrijf als voorheen.",
      pl: "To inna firma niż ta, która jest połączona. Proszę użyć tej samej co poprzednio.",
      pt: "Esta empresa não é a que está ligada. Utilize a mesma que antes.",
    },
    "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.":
      {
        de: "Dieser Zugriff zeigt nur, was eine einzelne Person sehen darf. Bitte melden Sie sich bei Factorial mit Administratorrechten an und genehmigen Sie ihn für das Unternehmen.",
        es: "Este acceso solo muestra lo que puede ver una persona. Inicie sesión en Factorial como administrador y apruébelo para la empresa.",
        fr: "Cet accès ne montre que ce qu’une personne peut voir. Connectez-vous à Factorial en tant qu’administrateur et approuvez-le pour l’entreprise.",
        it: "Questo accesso mostra solo ciò che può vedere una singola persona. Acceda a Factorial come amministratore e lo approvi per l’azienda.",
        nl: "Deze toegang toont alleen wat één persoon mag zien. Log als beheerder in bij Factorial en keur de toegang goed voor het bedrijf.",
        pl: "Ten dostęp pokazuje tylko to, co może widzieć jedna osoba. Proszę zalogować się do systemu Factorial jako administrator i zatwierdzić dostęp dla firmy.",
        pt: "Este acesso mostra apenas o que uma pessoa pode ver. Inicie sessão em Factorial como administrador e aprove-o para a empresa.",
      },
  },
  recipeTexts,
);
