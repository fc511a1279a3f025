import type { ProviderTexts } from "../contract.ts";

/** What the recipes say, in other languages. */
export const recipeTexts = {
  de: {
    "Where do I find the API key?": "Wo finde ich den API-Schlüssel?",
    "Choose whose key it is: it can do all that its user can. The user needs full access to the business.":
      "Entscheiden Sie, wessen Schlüssel es ist: Er kann alles, was sein Benutzer kann. Der Benutzer braucht vollen Zugriff auf das Unternehmen.",
    "Sign in to the payroll as this user, click the name at the top right and choose “My Account”.":
      "Melden Sie sich in der Lohnabrechnung als dieser Benutzer an, klicken Sie oben rechts auf den Namen und wählen Sie „My Account“.",
    "My Account": "My Account",
    "Click “Generate API Key”, and copy the key. If the user has one already, ask who uses it first: a new key ends it.":
      "Klicken Sie auf „Generate API Key“ und kopieren Sie den Schlüssel. Hat der Benutzer schon einen, fragen Sie zuerst, wer ihn verwendet: Ein neuer Schlüssel beendet ihn.",
    "Paste it here. If it reaches several businesses, you are asked which one to connect. The others are not read.":
      "Fügen Sie ihn hier ein. Erreicht er mehrere Unternehmen, werden Sie gefragt, welches verbunden werden soll. Die anderen werden nicht gelesen.",
    "Full access to the business. Of a user who sees only some of the people, no people are read.":
      "Voller Zugriff auf das Unternehmen. Sieht ein Benutzer nur einige der Personen, werden keine Personen gelesen.",
    "Click “Change API Key” on the same page. Until then the key works, also when the access has been ended here.":
      "Klicken Sie auf derselben Seite auf „Change API Key“. Bis dahin gilt der Schlüssel, auch wenn der Zugriff hier beendet wurde.",
  },
  es: {
    "Where do I find the API key?": "¿Dónde encuentro la clave API?",
    "Choose whose key it is: it can do all that its user can. The user needs full access to the business.":
      "Decida de quién es la clave: puede hacer lo mismo que su usuario. El usuario necesita acceso completo a la empresa.",
    "Sign in to the payroll as this user, click the name at the top right and choose “My Account”.":
      "Inicie sesión en la nómina como este usuario, haga clic en el nombre arriba a la derecha y elija «My Account».",
    "My Account": "My Account",
    "Click “Generate API Key”, and copy the key. If the user has one already, ask who uses it first: a new key ends it.":
      "Haga clic en «Generate API Key» y copie la clave. Si el usuario ya tiene una, pregunte antes quién la usa: una clave nueva la anula.",
    "Paste it here. If it reaches several businesses, you are asked which one to connect. The others are not read.":
      "Péguela aquí. Si da acceso a varias empresas, se le pregunta cuál conectar. Las demás no se leen.",
    "Full access to the business. Of a user who sees only some of the people, no people are read.":
      "Acceso completo a la empresa. Si el usuario solo ve a algunas personas, no se lee a ninguna.",
    "Click “Change API Key” on the same page. Until then the key works, also when the access has been ended here.":
      "Haga clic en «Change API Key» en la misma página. Hasta entonces la clave funciona, aunque el acceso se haya terminado aquí.",
  },
  fr: {
    "Where do I find the API key?": "Où trouver la clé API ?",
    "Choose whose key it is: it can do all that its user can. The user needs full access to the business.":
      "Choisissez à qui est la clé : elle peut tout ce que peut son utilisateur. L’utilisateur a besoin d’un accès complet à l’entreprise.",
    "Sign in to the payroll as this user, click the name at the top right and choose “My Account”.":
      "Connectez-vous à la paie avec cet utilisateur, cliquez sur le nom en haut à droite et choisissez « My Account ».",
    "My Account": "My Account",
    "Click “Generate API Key”, and copy the key. If the user has one already, ask who uses it first: a new key ends it.":
      "Cliquez sur « Generate API Key » et copiez la clé. Si l’utilisateur en a déjà une, demandez d’abord qui s’en sert : une nouvelle clé y met fin.",
    "Paste it here. If it reaches several businesses, you are asked which one to connect. The others are not read.":
      "Collez-la ici. Si elle donne accès à plusieurs entreprises, il vous est demandé laquelle connecter. Les autres ne sont pas lues.",
    "Full access to the business. Of a user who sees only some of the people, no people are read.":
      "Un accès complet à l’entreprise. Si l’utilisateur ne voit que certaines personnes, aucune n’est lue.",
    "Click “Change API Key” on the same page. Until then the key works, also when the access has been ended here.":
      "Cliquez sur « Change API Key » sur la même page. Jusque-là la clé fonctionne, même si l’accès a pris fin ici.",
  },
} satisfies ProviderTexts;
