import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipe says, in other languages. */
export const recipeTexts: RecipeTexts = {
  "Where do I find the API key?": {
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  "Use a user made for this alone, who is no employee. An administrator of the site (System Manager) can make one under “User”.":
    {
      de: "Verwenden Sie einen Benutzer nur dafür, der keinem Mitarbeiter gehört. Eine Administration der Site (System Manager) legt ihn unter „User“ an.",
      es: "Use un usuario solo para esto, que no sea de un empleado. Un administrador del sitio (System Manager) lo crea en «User».",
      fr: "Prenez un utilisateur réservé à cet usage, qui n’est pas un employé. Un administrateur du site (System Manager) le crée sous « User ».",
    },
  "Search for “User” at the top of the page, open this user, and click the tab “Settings”.": {
    de: "Suchen Sie oben auf der Seite nach „User“, öffnen Sie diesen Benutzer und klicken Sie auf den Reiter „Settings“.",
    es: "Busque «User» en la parte superior de la página, abra este usuario y haga clic en la pestaña «Settings».",
    fr: "Cherchez « User » en haut de la page, ouvrez cet utilisateur et cliquez sur l’onglet « Settings ».",
  },
  Settings: { de: "Settings", es: "Settings", fr: "Settings" },
  "Under “API Access”, click “Generate Keys”. Copy the secret at once, then the key. New keys end those that the user had before.":
    {
      de: "Klicken Sie unter „API Access“ auf „Generate Keys“. Kopieren Sie sofort das Geheimnis, dann den Schlüssel. Neue Schlüssel beenden die, die der Benutzer vorher hatte.",
      es: "En «API Access», haga clic en «Generate Keys». Copie enseguida el secreto y después la clave. Las claves nuevas anulan las que el usuario tenía.",
      fr: "Sous « API Access », cliquez sur « Generate Keys ». Copiez aussitôt le secret, puis la clé. De nouvelles clés mettent fin à celles que l’utilisateur avait.",
    },
  "Generate Keys": { de: "Generate Keys", es: "Generate Keys", fr: "Generate Keys" },
  "The roles “HR Manager” and “HR User”. The key can do all that its user can, and write too; only what you agree to here is read.":
    {
      de: "Die Rollen „HR Manager“ und „HR User“. Der Schlüssel kann alles, was sein Benutzer kann, auch schreiben; gelesen wird nur, womit Sie hier einverstanden sind.",
      es: "Los roles «HR Manager» y «HR User». La clave puede hacer lo mismo que su usuario, también escribir; solo se lee lo que usted acepta aquí.",
      fr: "Les rôles « HR Manager » et « HR User ». La clé peut tout ce que peut son utilisateur, y compris écrire ; seul ce que vous acceptez ici est lu.",
    },
  "No “User Permissions”: they hide records without a sign of it, so nothing is read with them.": {
    de: "Keine „User Permissions“: Sie verbergen Einträge, ohne dass man es merkt, deshalb wird mit ihnen nichts gelesen.",
    es: "Ningún «User Permissions»: ocultan registros sin que se note, así que con ellos no se lee nada.",
    fr: "Aucune « User Permissions » : elles cachent des enregistrements sans que rien ne le montre, donc rien n’est lu avec elles.",
  },
  "Switch the user off, or click “Generate Keys” again. Until then the key works, also when the access has been ended here.":
    {
      de: "Schalten Sie den Benutzer aus oder klicken Sie erneut auf „Generate Keys“. Bis dahin gilt der Schlüssel, auch wenn der Zugriff hier beendet wurde.",
      es: "Desactive el usuario o vuelva a hacer clic en «Generate Keys». Hasta entonces la clave funciona, aunque el acceso se haya terminado aquí.",
      fr: "Désactivez l’utilisateur ou cliquez de nouveau sur « Generate Keys ». Jusque-là la clé fonctionne, même si l’accès a pris fin ici.",
    },
};
