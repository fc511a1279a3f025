import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipes say, in other languages. */
export const recipeTexts: RecipeTexts = {
  "Where do I find the API key?": {
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  "Choose whose key it is: it can do all that its user can. The user needs full access to the business.":
    {
      de: "Entscheiden Sie, wessen Schlüssel es ist: Er kann alles, was sein Benutzer kann. Der Benutzer braucht vollen Zugriff auf das Unternehmen.",
      es: "Decida de quién es la clave: puede hacer lo mismo que su usuario. El usuario necesita acceso completo a la empresa.",
      fr: "Choisissez à qui est la clé : elle peut tout ce que peut son utilisateur. L’utilisateur a besoin d’un accès complet à l’entreprise.",
    },
  "Sign in to the payroll as this user, click the name at the top right and choose “My Account”.": {
    de: "Melden Sie sich in der Lohnabrechnung als dieser Benutzer an, klicken Sie oben rechts auf den Namen und wählen Sie „My Account“.",
    es: "Inicie sesión en la nómina como este usuario, haga clic en el nombre arriba a la derecha y elija «My Account».",
    fr: "Connectez-vous à la paie avec cet utilisateur, cliquez sur le nom en haut à droite et choisissez « My Account ».",
  },
  "My Account": { de: "My Account", es: "My Account", fr: "My Account" },
  "Click “Generate API Key”, and copy the key. If the user has one already, ask who uses it first: a new key ends it.":
    {
      de: "Klicken Sie auf „Generate API Key“ und kopieren Sie den Schlüssel. Hat der Benutzer schon einen, fragen Sie zuerst, wer ihn verwendet: Ein neuer Schlüssel beendet ihn.",
      es: "Haga clic en «Generate API Key» y copie la clave. Si el usuario ya tiene una, pregunte antes quién la usa: una clave nueva la anula.",
      fr: "Cliquez sur « Generate API Key » et copiez la clé. Si l’utilisateur en a déjà une, demandez d’abord qui s’en sert : une nouvelle clé y met fin.",
    },
  "Paste it here. If it reaches several businesses, you are asked which one to connect. The others are not read.":
    {
      de: "Fügen Sie ihn hier ein. Erreicht er mehrere Unternehmen, werden Sie gefragt, welches verbunden werden soll. Die anderen werden nicht gelesen.",
      es: "Péguela aquí. Si da acceso a varias empresas, se le pregunta cuál conectar. Las demás no se leen.",
      fr: "Collez-la ici. Si elle donne accès à plusieurs entreprises, il vous est demandé laquelle connecter. Les autres ne sont pas lues.",
    },
  "Full access to the business. Of a user who sees only some of the people, no people are read.": {
    de: "Voller Zugriff auf das Unternehmen. Sieht ein Benutzer nur einige der Personen, werden keine Personen gelesen.",
    es: "Acceso completo a la empresa. Si el usuario solo ve a algunas personas, no se lee a ninguna.",
    fr: "Un accès complet à l’entreprise. Si l’utilisateur ne voit que certaines personnes, aucune n’est lue.",
  },
  "Click “Change API Key” on the same page. Until then the key works, also when the access has been ended here.":
    {
      de: "Klicken Sie auf derselben Seite auf „Change API Key“. Bis dahin gilt der Schlüssel, auch wenn der Zugriff hier beendet wurde.",
      es: "Haga clic en «Change API Key» en la misma página. Hasta entonces la clave funciona, aunque el acceso se haya terminado aquí.",
      fr: "Cliquez sur « Change API Key » sur la même page. Jusque-là la clé fonctionne, même si l’accès a pris fin ici.",
    },
};
