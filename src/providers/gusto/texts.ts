import { textsOf } from "../kit/texts.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf(
  {
    "No company was approved. Please continue to Gusto again and choose the one to connect.": {
      de: "Es wurde keine Firma freigegeben. Bitte gehen Sie noch einmal zu Gusto und wählen Sie die aus, die verbunden werden soll.",
      es: "No se ha autorizado ninguna empresa. Vuelva a Gusto y elija la que quiere conectar.",
      fr: "Aucune entreprise n’a été autorisée. Retournez sur Gusto et choisissez celle à connecter.",
      it: "Non è stata approvata alcuna azienda. Torni su Gusto e scelga quella da collegare.",
      nl: "Er is geen bedrijf goedgekeurd. Ga opnieuw naar Gusto en kies het bedrijf dat u wilt koppelen.",
      pl: "Nie zatwierdzono żadnej firmy. Proszę ponownie przejść do systemu Gusto i wybrać firmę, którą należy połączyć.",
      pt: "Não foi aprovada nenhuma empresa. Volte a Gusto e escolha a que pretende ligar.",
    },
    "This is another company than the one that is connected. Please choose the same one at Gusto.":
      {
        de: "Dies ist eine andere Firma als die verbundene. Bitte wählen Sie bei Gusto dieselbe aus.",
        es: "Esta no es la empresa conectada. Elija la misma en Gusto.",
        fr: "Cette entreprise n’est pas celle qui est connectée. Choisissez la même sur Gusto.",
        it: "Questa azienda è diversa da quella collegata. Scelga la stessa su Gusto.",
        nl: "Dit is een ander bedrijf dan het gekoppelde. Kies bij Gusto hetzelfde bedrijf.",
        pl: "To inna firma niż ta, która jest połączona. Proszę wybrać w systemie Gusto tę samą.",
        pt: "Esta empresa não é a que está ligada. Escolha a mesma em Gusto.",
      },
    "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.":
      {
        de: "Von dieser Firma darf nichts gelesen werden. Bitte stimmen Sie als ihr Hauptadministrator zu, oder als einer mit vollem Zugriff.",
        es: "No se puede leer nada de esta empresa. Apruebe el acceso como su administrador principal, o como uno con acceso completo.",
        fr: "Rien de cette entreprise ne peut être lu. Approuvez l’accès en tant qu’administrateur principal, ou avec un accès complet.",
        it: "Di questa azienda non si può leggere nulla. Approvi l’accesso come amministratore principale dell’azienda o come amministratore con accesso completo.",
        nl: "Van dit bedrijf mag niets worden gelezen. Geef goedkeuring als hoofdbeheerder van het bedrijf, of als beheerder met volledige toegang.",
        pl: "Z tej firmy nie można nic odczytać. Proszę zatwierdzić dostęp jako jej główny administrator lub administrator z pełnym dostępem.",
        pt: "Nada desta empresa pode ser lido. Aprove o acesso como administrador principal da empresa, ou como administrador com acesso completo.",
      },
  },
  recipeTexts,
);
