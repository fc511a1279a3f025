import { textsOf } from "../kit/texts.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts = textsOf(
  {
    "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.":
      {
        de: "Erstellen Sie einen in den Kontoeinstellungen von Staffology. Er kann alles, was sein Benutzer kann: Nehmen Sie einen Benutzer, der nur lesen darf.",
        es: "Cree una en los ajustes de la cuenta de Staffology. Puede hacer lo mismo que su usuario: elija un usuario que solo pueda consultar.",
        fr: "Créez-en une dans les paramètres du compte Staffology. Elle peut tout ce que peut son utilisateur : prenez un utilisateur qui ne fait que consulter.",
        it: "La crei nelle impostazioni dell’account di Staffology. Permette tutto ciò che può fare il suo utente: scelga un utente di sola lettura.",
        nl: "Maak de sleutel in de accountinstellingen van Staffology. De sleutel kan alles wat de gebruiker ervan kan: kies een gebruiker met alleen leesrechten.",
        pl: "Proszę utworzyć go w ustawieniach konta Staffology. Pozwala na wszystko, co może jego użytkownik, dlatego najlepiej wybrać użytkownika tylko z prawem odczytu.",
        pt: "Crie-a nas definições da conta de Staffology. Permite tudo o que o seu utilizador pode fazer: escolha um utilizador que só possa consultar.",
      },
    "This key reaches no employer in Staffology. Use the key of a user who may see the employer.": {
      de: "Dieser Schlüssel erreicht keinen Arbeitgeber in Staffology. Verwenden Sie den Schlüssel eines Benutzers, der den Arbeitgeber sehen darf.",
      es: "Esta clave no da acceso a ningún empleador en Staffology. Use la clave de un usuario que pueda ver el empleador.",
      fr: "Cette clé ne donne accès à aucun employeur dans Staffology. Utilisez la clé d’un utilisateur qui peut voir l’employeur.",
      it: "Questa chiave non dà accesso ad alcun datore di lavoro in Staffology. Utilizzi la chiave di un utente che possa vedere il datore di lavoro.",
      nl: "Deze sleutel geeft in Staffology tot geen enkele werkgever toegang. Gebruik de sleutel van een gebruiker die de werkgever mag zien.",
      pl: "Ten klucz nie daje dostępu do żadnego pracodawcy w Staffology. Proszę użyć klucza użytkownika, który może widzieć pracodawcę.",
      pt: "Esta chave não dá acesso a nenhuma entidade empregadora em Staffology. Utilize a chave de um utilizador que a possa ver.",
    },
    "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
      {
        de: "Dieser Schlüssel erreicht den zuvor verbundenen Arbeitgeber nicht. Verwenden Sie den Schlüssel eines Benutzers, der ihn sehen darf.",
        es: "Esta clave no da acceso al empleador que estaba conectado. Use la clave de un usuario que pueda verlo.",
        fr: "Cette clé ne donne pas accès à l’employeur connecté auparavant. Utilisez la clé d’un utilisateur qui peut le voir.",
        it: "Questa chiave non dà accesso al datore di lavoro collegato in precedenza. Utilizzi la chiave di un utente che possa vederlo.",
        nl: "Deze sleutel geeft geen toegang tot de werkgever die eerder is gekoppeld. Gebruik de sleutel van een gebruiker die de werkgever mag zien.",
        pl: "Ten klucz nie daje dostępu do pracodawcy, który był wcześniej połączony. Proszę użyć klucza użytkownika, który może go widzieć.",
        pt: "Esta chave não dá acesso à entidade empregadora ligada anteriormente. Utilize a chave de um utilizador que a possa ver.",
      },
    "Which employer do you want to connect?": {
      de: "Welchen Arbeitgeber möchten Sie verbinden?",
      es: "¿Qué empleador desea conectar?",
      fr: "Quel employeur souhaitez-vous connecter ?",
      it: "Quale datore di lavoro desidera collegare?",
      nl: "Welke werkgever wilt u koppelen?",
      pl: "Którego pracodawcę połączyć?",
      pt: "Que entidade empregadora deseja ligar?",
    },
  },
  recipeTexts,
);
