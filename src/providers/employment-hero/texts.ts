import { textsOf } from "../kit/said.ts";
import type { Recipe } from "../recipe.ts";

/** What this adapter says, in English and in other languages. */
export const said = {
  au: { en: "Australia", de: "Australien", es: "Australia", fr: "Australie" },
  nz: { en: "New Zealand", de: "Neuseeland", es: "Nueva Zelanda", fr: "Nouvelle-Zélande" },
  uk: { en: "United Kingdom", de: "Vereinigtes Königreich", es: "Reino Unido", fr: "Royaume-Uni" },
  sg: { en: "Singapore", de: "Singapur", es: "Singapur", fr: "Singapour" },
  my: { en: "Malaysia", de: "Malaysia", es: "Malasia", fr: "Malaisie" },
  region: {
    en: "Country of the payroll",
    de: "Land der Lohnabrechnung",
    es: "País de la nómina",
    fr: "Pays de la paie",
  },
  help: {
    en: "It can do all that its user can, and write too. A new key ends the one that the user had before.",
    de: "Er kann alles, was sein Benutzer kann, auch schreiben. Ein neuer Schlüssel beendet den, den der Benutzer vorher hatte.",
    es: "Puede hacer lo mismo que su usuario, también escribir. Una clave nueva anula la que el usuario tenía antes.",
    fr: "Elle peut tout ce que peut son utilisateur, y compris écrire. Une nouvelle clé met fin à celle que l’utilisateur avait avant.",
  },
  other: {
    en: "This key does not reach the business that was connected before. Use the key of a user who may see it.",
    de: "Dieser Schlüssel erreicht das zuvor verbundene Unternehmen nicht. Verwenden Sie den Schlüssel eines Benutzers, der es sehen darf.",
    es: "Esta clave no da acceso a la empresa que estaba conectada. Use la clave de un usuario que pueda verla.",
    fr: "Cette clé ne donne pas accès à l’entreprise connectée auparavant. Utilisez la clé d’un utilisateur qui peut la voir.",
  },
  prompt: {
    en: "Which business do you want to connect?",
    de: "Welches Unternehmen möchten Sie verbinden?",
    es: "¿Qué empresa desea conectar?",
    fr: "Quelle entreprise souhaitez-vous connecter ?",
  },
  none: {
    en: "This key reaches no business. Use the key of a user who may see the business.",
    de: "Dieser Schlüssel erreicht kein Unternehmen. Verwenden Sie den Schlüssel eines Benutzers, der das Unternehmen sehen darf.",
    es: "Esta clave no da acceso a ninguna empresa. Use la clave de un usuario que pueda ver la empresa.",
    fr: "Cette clé ne donne accès à aucune entreprise. Utilisez la clé d’un utilisateur qui peut voir l’entreprise.",
  },
  where: {
    en: "Where do I find the API key?",
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  whose: {
    en: "Choose whose key it is: it can do all that its user can. The user needs full access to the business.",
    de: "Entscheiden Sie, wessen Schlüssel es ist: Er kann alles, was sein Benutzer kann. Der Benutzer braucht vollen Zugriff auf das Unternehmen.",
    es: "Decida de quién es la clave: puede hacer lo mismo que su usuario. El usuario necesita acceso completo a la empresa.",
    fr: "Choisissez à qui est la clé : elle peut tout ce que peut son utilisateur. L’utilisateur a besoin d’un accès complet à l’entreprise.",
  },
  account: {
    en: "Sign in to the payroll as this user, click the name at the top right and choose “My Account”.",
    de: "Melden Sie sich in der Lohnabrechnung als dieser Benutzer an, klicken Sie oben rechts auf den Namen und wählen Sie „My Account“.",
    es: "Inicie sesión en la nómina como este usuario, haga clic en el nombre arriba a la derecha y elija «My Account».",
    fr: "Connectez-vous à la paie avec cet utilisateur, cliquez sur le nom en haut à droite et choisissez « My Account ».",
  },
  // The pages of the payroll are in English in all its countries.
  menu: { en: "My Account", de: "My Account", es: "My Account", fr: "My Account" },
  make: {
    en: "Click “Generate API Key”, and copy the key. If the user has one already, ask who uses it first: a new key ends it.",
    de: "Klicken Sie auf „Generate API Key“ und kopieren Sie den Schlüssel. Hat der Benutzer schon einen, fragen Sie zuerst, wer ihn verwendet: Ein neuer Schlüssel beendet ihn.",
    es: "Haga clic en «Generate API Key» y copie la clave. Si el usuario ya tiene una, pregunte antes quién la usa: una clave nueva la anula.",
    fr: "Cliquez sur « Generate API Key » et copiez la clé. Si l’utilisateur en a déjà une, demandez d’abord qui s’en sert : une nouvelle clé y met fin.",
  },
  paste: {
    en: "Paste it here. If it reaches several businesses, you are asked which one to connect. The others are not read.",
    de: "Fügen Sie ihn hier ein. Erreicht er mehrere Unternehmen, werden Sie gefragt, welches verbunden werden soll. Die anderen werden nicht gelesen.",
    es: "Péguela aquí. Si da acceso a varias empresas, se le pregunta cuál conectar. Las demás no se leen.",
    fr: "Collez-la ici. Si elle donne accès à plusieurs entreprises, il vous est demandé laquelle connecter. Les autres ne sont pas lues.",
  },
  rights: {
    en: "Full access to the business. Of a user who sees only some of the people, no people are read.",
    de: "Voller Zugriff auf das Unternehmen. Sieht ein Benutzer nur einige der Personen, werden keine Personen gelesen.",
    es: "Acceso completo a la empresa. Si el usuario solo ve a algunas personas, no se lee a ninguna.",
    fr: "Un accès complet à l’entreprise. Si l’utilisateur ne voit que certaines personnes, aucune n’est lue.",
  },
  ending: {
    en: "Click “Change API Key” on the same page. Until then the key works, also when the access has been ended here.",
    de: "Klicken Sie auf derselben Seite auf „Change API Key“. Bis dahin gilt der Schlüssel, auch wenn der Zugriff hier beendet wurde.",
    es: "Haga clic en «Change API Key» en la misma página. Hasta entonces la clave funciona, aunque el acceso se haya terminado aquí.",
    fr: "Cliquez sur « Change API Key » sur la même page. Jusque-là la clé fonctionne, même si l’accès a pris fin ici.",
  },
} as const;

export const texts = textsOf(said);

export const keyRecipe: Recipe = {
  field: "key",
  title: said.where.en,
  steps: [
    { text: said.whose.en },
    {
      text: said.account.en,
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 15, y: 0, width: 1, height: 1, look: "picture" },
        { x: 8, y: 1, width: 8, height: 2, look: "area" },
        { x: 8, y: 1, width: 8, height: 1, look: "text", label: said.menu.en, isMarked: true },
      ],
    },
    { text: said.make.en },
    { text: said.paste.en },
  ],
  rights: [said.rights.en],
  ending: [said.ending.en],
};
