import { textsOf } from "../kit/texts.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf(
  {
    "Service user ID": {
      de: "ID des Service-Benutzers",
      es: "ID del usuario de servicio",
      fr: "ID de l’utilisateur de service",
      it: "ID dell’utente di servizio",
      nl: "ID van de servicegebruiker",
      pl: "Identyfikator użytkownika usługi",
      pt: "ID do utilizador de serviço",
    },
    Token: {
      de: "Token",
      es: "Token",
      fr: "Jeton",
      it: "Token",
      nl: "Token",
      pl: "Token",
      pt: "Token",
    },
    "An administrator makes a service user in Bob. Bob shows its token once.": {
      de: "Eine Administratorin oder ein Administrator legt in Bob einen Service-Benutzer an. Bob zeigt sein Token nur einmal.",
      es: "Un administrador crea un usuario de servicio en Bob. Bob muestra su token una sola vez.",
      fr: "Un administrateur crée un utilisateur de service dans Bob. Bob n’affiche son jeton qu’une fois.",
      it: "Un amministratore crea un utente di servizio in Bob. Bob ne mostra il token una sola volta.",
      nl: "Een beheerder maakt in Bob een servicegebruiker aan. Bob toont het token maar één keer.",
      pl: "Administrator tworzy w systemie Bob użytkownika usługi. Bob pokazuje jego token tylko raz.",
      pt: "Um administrador cria um utilizador de serviço em Bob. Bob só mostra o token uma vez.",
    },
    "Time zone of the company": {
      de: "Zeitzone der Firma",
      es: "Zona horaria de la empresa",
      fr: "Fuseau horaire de l’entreprise",
      it: "Fuso orario dell’azienda",
      nl: "Tijdzone van het bedrijf",
      pl: "Strefa czasowa firmy",
      pt: "Fuso horário da empresa",
    },
    "Working times in Bob have no time zone. Leave this empty for UTC.": {
      de: "Bob gibt Arbeitszeiten ohne sie an. Lassen Sie das Feld für UTC leer.",
      es: "Bob da las horas de trabajo sin ella. Déjelo vacío para UTC.",
      fr: "Bob donne les heures de travail sans lui. Laissez ce champ vide pour UTC.",
      it: "Bob fornisce gli orari di lavoro senza fuso orario. Lasci vuoto questo campo per UTC.",
      nl: "Bob geeft werktijden zonder tijdzone door. Laat dit veld leeg voor UTC.",
      pl: "Bob podaje czas pracy bez strefy czasowej. Puste pole oznacza UTC.",
      pt: "Bob indica as horas de trabalho sem fuso horário. Deixe este campo vazio para UTC.",
    },
    "Please type a time zone, such as Europe/Berlin.": {
      de: "Bitte geben Sie eine Zeitzone ein, zum Beispiel Europe/Berlin.",
      es: "Escriba una zona horaria, por ejemplo Europe/Berlin.",
      fr: "Saisissez un fuseau horaire, par exemple Europe/Berlin.",
      it: "Inserisca un fuso orario, ad esempio Europe/Berlin.",
      nl: "Vul een tijdzone in, bijvoorbeeld Europe/Berlin.",
      pl: "Proszę wpisać strefę czasową, na przykład Europe/Berlin.",
      pt: "Introduza um fuso horário, por exemplo Europe/Berlin.",
    },
    "This service user is of another company than the one that is connected. Please use one of the same company.":
      {
        de: "Dieser Service-Benutzer gehört zu einer anderen Firma als der verbundenen. Bitte verwenden Sie einen derselben Firma.",
        es: "Este usuario de servicio es de otra empresa que la conectada. Use uno de la misma empresa.",
        fr: "Cet utilisateur de service est d’une autre entreprise que celle qui est connectée. Utilisez-en un de la même entreprise.",
        it: "Questo utente di servizio è di un’azienda diversa da quella collegata. Ne utilizzi uno della stessa azienda.",
        nl: "Deze servicegebruiker hoort bij een ander bedrijf dan het gekoppelde. Gebruik een servicegebruiker van hetzelfde bedrijf.",
        pl: "Ten użytkownik usługi należy do innej firmy niż ta, która jest połączona. Proszę użyć użytkownika z tej samej firmy.",
        pt: "Este utilizador de serviço é de uma empresa diferente da que está ligada. Utilize um da mesma empresa.",
      },
    "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.":
      {
        de: "Dieser Service-Benutzer sieht niemanden. Nehmen Sie ihn in Bob in eine Berechtigungsgruppe auf, die „Basic info“ von allen sehen darf.",
        es: "Este usuario de servicio no ve a nadie. Añádalo en Bob a un grupo de permisos que pueda ver «Basic info» de todos.",
        fr: "Cet utilisateur de service ne voit personne. Ajoutez-le dans Bob à un groupe d’autorisations qui peut voir « Basic info » de tous.",
        it: "Questo utente di servizio non vede nessuno. Lo aggiunga in Bob a un gruppo di autorizzazioni che possa vedere «Basic info» di tutti.",
        nl: "Deze servicegebruiker ziet niemand. Voeg de servicegebruiker in Bob toe aan een machtigingsgroep die “Basic info” van iedereen mag bekijken.",
        pl: "Ten użytkownik usługi nikogo nie widzi. Proszę dodać go w systemie Bob do grupy uprawnień, która może wyświetlać „Basic info” wszystkich osób.",
        pt: "Este utilizador de serviço não vê ninguém. Adicione-o em Bob a um grupo de permissões que possa ver «Basic info» de todos.",
      },
  },
  recipeTexts,
);
