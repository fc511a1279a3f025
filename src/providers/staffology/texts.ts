import type { ProviderTexts } from "../contract.ts";
import { recipeTexts } from "./recipe-texts.ts";

/** What this adapter says, in other languages. */
export const texts: ProviderTexts = {
  de: {
    ...recipeTexts.de,
    "Make one in the account settings of Staffology. It can do what its user can, so take a user who may only look.":
      "Erstellen Sie einen in den Kontoeinstellungen von Staffology. Er kann alles, was sein Benutzer kann: Nehmen Sie einen Benutzer, der nur lesen darf.",
    "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
      "Dieser Schlüssel erreicht keinen Arbeitgeber in Staffology. Verwenden Sie den Schlüssel eines Benutzers, der den Arbeitgeber sehen darf.",
    "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
      "Dieser Schlüssel erreicht den zuvor verbundenen Arbeitgeber nicht. Verwenden Sie den Schlüssel eines Benutzers, der ihn sehen darf.",
    "Which employer do you want to connect?": "Welchen Arbeitgeber möchten Sie verbinden?",
  },
  es: {
    ...recipeTexts.es,
    "Make one in the account settings of Staffology. It can do what its user can, so take a user who may only look.":
      "Cree una en los ajustes de la cuenta de Staffology. Puede hacer lo mismo que su usuario: elija un usuario que solo pueda consultar.",
    "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
      "Esta clave no da acceso a ningún empleador en Staffology. Use la clave de un usuario que pueda ver el empleador.",
    "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
      "Esta clave no da acceso al empleador que estaba conectado. Use la clave de un usuario que pueda verlo.",
    "Which employer do you want to connect?": "¿Qué empleador desea conectar?",
  },
  fr: {
    ...recipeTexts.fr,
    "Make one in the account settings of Staffology. It can do what its user can, so take a user who may only look.":
      "Créez-en une dans les paramètres du compte Staffology. Elle peut tout ce que peut son utilisateur : prenez un utilisateur qui ne fait que consulter.",
    "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
      "Cette clé ne donne accès à aucun employeur dans Staffology. Utilisez la clé d’un utilisateur qui peut voir l’employeur.",
    "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
      "Cette clé ne donne pas accès à l’employeur connecté auparavant. Utilisez la clé d’un utilisateur qui peut le voir.",
    "Which employer do you want to connect?": "Quel employeur souhaitez-vous connecter ?",
  },
};
