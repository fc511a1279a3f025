import { textsOf } from "../kit/said.ts";
import type { Recipe } from "../recipe.ts";

/** What is said of a sign-in that does not work. */
export const explanations = {
  notFrappe: "There is no Frappe HR or ERPNext at this address.",
  tooOld: "This site is too old to be read: it needs version 14 or newer.",
  other:
    "This is another site than the one that is connected. Please use the same address as before.",
  cut: "User permissions hide some records from the user of this key. Use the key of a user without user permissions.",
};

/** What this adapter says, in English and in other languages. Menus by their English names. */
export const said = {
  address: {
    en: "Address of your Frappe site",
    de: "Adresse Ihrer Frappe-Site",
    es: "Dirección de su sitio de Frappe",
    fr: "Adresse de votre site Frappe",
  },
  addressHelp: {
    en: "What your browser shows when you use Frappe HR or ERPNext.",
    de: "Was Ihr Browser anzeigt, wenn Sie Frappe HR oder ERPNext verwenden.",
    es: "La que muestra su navegador cuando usa Frappe HR o ERPNext.",
    fr: "Celle qu’affiche votre navigateur quand vous utilisez Frappe HR ou ERPNext.",
  },
  noAddress: {
    en: "Please type a web address, such as https://example.frappe.cloud.",
    de: "Bitte geben Sie eine Webadresse ein, zum Beispiel https://example.frappe.cloud.",
    es: "Escriba una dirección web, por ejemplo https://example.frappe.cloud.",
    fr: "Saisissez une adresse web, par exemple https://example.frappe.cloud.",
  },
  notFrappe: {
    en: explanations.notFrappe,
    de: "Unter dieser Adresse gibt es kein Frappe HR oder ERPNext.",
    es: "En esta dirección no hay ningún Frappe HR ni ERPNext.",
    fr: "Il n’y a ni Frappe HR ni ERPNext à cette adresse.",
  },
  tooOld: {
    en: explanations.tooOld,
    de: "Diese Site ist zu alt, um gelesen zu werden: Sie braucht Version 14 oder neuer.",
    es: "Este sitio es demasiado antiguo para leerse: necesita la versión 14 o una posterior.",
    fr: "Ce site est trop ancien pour être lu : il lui faut la version 14 ou une version ultérieure.",
  },
  secret: {
    en: "API secret",
    de: "API-Geheimnis",
    es: "Secreto de API",
    fr: "Secret d’API",
  },
  secretHelp: {
    en: "Frappe shows it once, when the keys are generated.",
    de: "Frappe zeigt es einmal an, wenn die Schlüssel erzeugt werden.",
    es: "Frappe lo muestra una sola vez, al generar las claves.",
    fr: "Frappe l’affiche une seule fois, quand les clés sont générées.",
  },
  written: {
    en: "Please paste it as Frappe shows it, without spaces.",
    de: "Bitte fügen Sie ein, was Frappe anzeigt, ohne Leerzeichen.",
    es: "Péguelo tal como lo muestra Frappe, sin espacios.",
    fr: "Collez-le tel que Frappe l’affiche, sans espaces.",
  },
  timesheets: {
    en: "Hours worked",
    de: "Arbeitszeit",
    es: "Horas trabajadas",
    fr: "Heures travaillées",
  },
  timesheetsHelp: {
    en: "Which records of Frappe say how long people worked.",
    de: "Welche Einträge in Frappe sagen, wie lange gearbeitet wurde.",
    es: "Qué registros de Frappe indican cuánto se ha trabajado.",
    fr: "Quels enregistrements de Frappe disent combien de temps on a travaillé.",
  },
  attendance: { en: "Attendance", de: "Anwesenheit", es: "Asistencia", fr: "Présence" },
  projects: {
    en: "Timesheets of projects",
    de: "Zeiterfassung der Projekte",
    es: "Hojas de horas de los proyectos",
    fr: "Feuilles de temps des projets",
  },
  other: {
    en: explanations.other,
    de: "Dies ist eine andere Site als die verbundene. Bitte verwenden Sie dieselbe Adresse wie zuvor.",
    es: "Este sitio no es el que está conectado. Utilice la misma dirección que antes.",
    fr: "Ce site n’est pas celui qui est connecté. Utilisez la même adresse que précédemment.",
  },
  cut: {
    en: explanations.cut,
    de: "Benutzerberechtigungen (User Permissions) verbergen dem Benutzer dieses Schlüssels einige Einträge. Verwenden Sie den Schlüssel eines Benutzers ohne solche.",
    es: "Los permisos de usuario (User Permissions) ocultan algunos registros al usuario de esta clave. Use la clave de un usuario que no los tenga.",
    fr: "Des autorisations utilisateur (User Permissions) cachent des enregistrements à l’utilisateur de cette clé. Utilisez la clé d’un utilisateur qui n’en a pas.",
  },
  where: {
    en: "Where do I find the API key?",
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  whose: {
    en: "Use a user made for this alone, who is no employee. An administrator of the site (System Manager) can make one under “User”.",
    de: "Verwenden Sie einen Benutzer nur dafür, der keinem Mitarbeiter gehört. Eine Administration der Site (System Manager) legt ihn unter „User“ an.",
    es: "Use un usuario solo para esto, que no sea de un empleado. Un administrador del sitio (System Manager) lo crea en «User».",
    fr: "Prenez un utilisateur réservé à cet usage, qui n’est pas un employé. Un administrateur du site (System Manager) le crée sous « User ».",
  },
  open: {
    en: "Search for “User” at the top of the page, open this user, and click the tab “Settings”.",
    de: "Suchen Sie oben auf der Seite nach „User“, öffnen Sie diesen Benutzer und klicken Sie auf den Reiter „Settings“.",
    es: "Busque «User» en la parte superior de la página, abra este usuario y haga clic en la pestaña «Settings».",
    fr: "Cherchez « User » en haut de la page, ouvrez cet utilisateur et cliquez sur l’onglet « Settings ».",
  },
  settings: { en: "Settings", de: "Settings", es: "Settings", fr: "Settings" },
  make: {
    en: "Under “API Access”, click “Generate Keys”. Copy the secret at once, then the key. New keys end those that the user had before.",
    de: "Klicken Sie unter „API Access“ auf „Generate Keys“. Kopieren Sie sofort das Geheimnis, dann den Schlüssel. Neue Schlüssel beenden die, die der Benutzer vorher hatte.",
    es: "En «API Access», haga clic en «Generate Keys». Copie enseguida el secreto y después la clave. Las claves nuevas anulan las que el usuario tenía.",
    fr: "Sous « API Access », cliquez sur « Generate Keys ». Copiez aussitôt le secret, puis la clé. De nouvelles clés mettent fin à celles que l’utilisateur avait.",
  },
  generate: { en: "Generate Keys", de: "Generate Keys", es: "Generate Keys", fr: "Generate Keys" },
  roles: {
    en: "The roles “HR Manager” and “HR User”. The key can do all that its user can, and write too; only what you agree to here is read.",
    de: "Die Rollen „HR Manager“ und „HR User“. Der Schlüssel kann alles, was sein Benutzer kann, auch schreiben; gelesen wird nur, womit Sie hier einverstanden sind.",
    es: "Los roles «HR Manager» y «HR User». La clave puede hacer lo mismo que su usuario, también escribir; solo se lee lo que usted acepta aquí.",
    fr: "Les rôles « HR Manager » et « HR User ». La clé peut tout ce que peut son utilisateur, y compris écrire ; seul ce que vous acceptez ici est lu.",
  },
  uncut: {
    en: "No “User Permissions”: they hide records without a sign of it, so nothing is read with them.",
    de: "Keine „User Permissions“: Sie verbergen Einträge, ohne dass man es merkt, deshalb wird mit ihnen nichts gelesen.",
    es: "Ningún «User Permissions»: ocultan registros sin que se note, así que con ellos no se lee nada.",
    fr: "Aucune « User Permissions » : elles cachent des enregistrements sans que rien ne le montre, donc rien n’est lu avec elles.",
  },
  ending: {
    en: "Switch the user off, or click “Generate Keys” again. Until then the key works, also when the access has been ended here.",
    de: "Schalten Sie den Benutzer aus oder klicken Sie erneut auf „Generate Keys“. Bis dahin gilt der Schlüssel, auch wenn der Zugriff hier beendet wurde.",
    es: "Desactive el usuario o vuelva a hacer clic en «Generate Keys». Hasta entonces la clave funciona, aunque el acceso se haya terminado aquí.",
    fr: "Désactivez l’utilisateur ou cliquez de nouveau sur « Generate Keys ». Jusque-là la clé fonctionne, même si l’accès a pris fin ici.",
  },
} as const;

export const texts = textsOf(said);

export const keyRecipe: Recipe = {
  field: "key",
  title: said.where.en,
  steps: [
    { text: said.whose.en },
    {
      text: said.open.en,
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 4, y: 0, width: 8, height: 1, look: "field" },
        { x: 0, y: 2, width: 4, height: 1, look: "text" },
        { x: 9, y: 2, width: 5, height: 1, look: "text", label: said.settings.en, isMarked: true },
      ],
    },
    {
      text: said.make.en,
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 6, height: 1, look: "text" },
        {
          x: 0,
          y: 2,
          width: 8,
          height: 1,
          look: "button",
          label: said.generate.en,
          isMarked: true,
        },
      ],
    },
  ],
  rights: [said.roles.en, said.uncut.en],
  ending: [said.ending.en],
};
