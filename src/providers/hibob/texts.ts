import { textsOf } from "../kit/said.ts";
import type { Recipe } from "../recipe.ts";

/** What this adapter says, in English and in other languages. The menus are those of Bob's English pages. */
export const said = {
  id: {
    en: "Service user ID",
    de: "ID des Service-Benutzers",
    es: "ID del usuario de servicio",
    fr: "ID de l’utilisateur de service",
  },
  token: { en: "Token", de: "Token", es: "Token", fr: "Jeton" },
  help: {
    en: "An administrator makes a service user in Bob. Bob shows its token once.",
    de: "Eine Administratorin oder ein Administrator legt in Bob einen Service-Benutzer an. Bob zeigt sein Token nur einmal.",
    es: "Un administrador crea un usuario de servicio en Bob. Bob muestra su token una sola vez.",
    fr: "Un administrateur crée un utilisateur de service dans Bob. Bob n’affiche son jeton qu’une fois.",
  },
  zone: {
    en: "Time zone of the company",
    de: "Zeitzone der Firma",
    es: "Zona horaria de la empresa",
    fr: "Fuseau horaire de l’entreprise",
  },
  zoneHelp: {
    en: "Bob gives working times without it. Leave this empty for UTC.",
    de: "Bob gibt Arbeitszeiten ohne sie an. Lassen Sie das Feld für UTC leer.",
    es: "Bob da las horas de trabajo sin ella. Déjelo vacío para UTC.",
    fr: "Bob donne les heures de travail sans lui. Laissez ce champ vide pour UTC.",
  },
  noZone: {
    en: "Please type a time zone, such as Europe/Berlin.",
    de: "Bitte geben Sie eine Zeitzone ein, zum Beispiel Europe/Berlin.",
    es: "Escriba una zona horaria, por ejemplo Europe/Berlin.",
    fr: "Saisissez un fuseau horaire, par exemple Europe/Berlin.",
  },
  other: {
    en: "This service user is of another company than the one that is connected. Please use one of the same company.",
    de: "Dieser Service-Benutzer gehört zu einer anderen Firma als der verbundenen. Bitte verwenden Sie einen derselben Firma.",
    es: "Este usuario de servicio es de otra empresa que la conectada. Use uno de la misma empresa.",
    fr: "Cet utilisateur de service est d’une autre entreprise que celle qui est connectée. Utilisez-en un de la même entreprise.",
  },
  seesNobody: {
    en: "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.",
    de: "Dieser Service-Benutzer sieht niemanden. Nehmen Sie ihn in Bob in eine Berechtigungsgruppe auf, die „Basic info“ von allen sehen darf.",
    es: "Este usuario de servicio no ve a nadie. Añádalo en Bob a un grupo de permisos que pueda ver «Basic info» de todos.",
    fr: "Cet utilisateur de service ne voit personne. Ajoutez-le dans Bob à un groupe d’autorisations qui peut voir « Basic info » de tous.",
  },
  where: {
    en: "Where do I get the ID and the token?",
    de: "Woher bekomme ich ID und Token?",
    es: "¿Dónde obtengo el ID y el token?",
    fr: "Où obtenir l’ID et le jeton ?",
  },
  open: {
    en: "Sign in to Bob as an administrator. Open “System settings”, then “Integrations”, and “Service users” under “Automation”.",
    de: "Melden Sie sich bei Bob mit Administratorrechten an. Öffnen Sie „System settings“, dann „Integrations“, und unter „Automation“ die „Service users“.",
    es: "Inicie sesión en Bob como administrador. Abra «System settings», después «Integrations», y «Service users» en «Automation».",
    fr: "Connectez-vous à Bob en tant qu’administrateur. Ouvrez « System settings », puis « Integrations », et « Service users » sous « Automation ».",
  },
  menu: {
    en: "Service users",
    de: "Service users",
    es: "Service users",
    fr: "Service users",
  },
  make: {
    en: "Choose “New service user” and type a name. Copy the ID and the token at once: the token is not shown again.",
    de: "Wählen Sie „New service user“ und geben Sie einen Namen ein. Kopieren Sie ID und Token sofort: Das Token wird nicht noch einmal gezeigt.",
    es: "Elija «New service user» y escriba un nombre. Copie el ID y el token enseguida: el token no se muestra otra vez.",
    fr: "Choisissez « New service user » et saisissez un nom. Copiez tout de suite l’ID et le jeton : le jeton n’est plus affiché ensuite.",
  },
  group: {
    en: "Open “Permission groups” in the settings, make a group, and add the service user to it. A new service user may see nothing.",
    de: "Öffnen Sie in den Einstellungen „Permission groups“, legen Sie eine Gruppe an und nehmen Sie den Service-Benutzer auf. Ein neuer Service-Benutzer darf nichts sehen.",
    es: "Abra «Permission groups» en los ajustes, cree un grupo y añada el usuario de servicio. Un usuario de servicio nuevo no puede ver nada.",
    fr: "Ouvrez « Permission groups » dans les paramètres, créez un groupe et ajoutez-y l’utilisateur de service. Un nouvel utilisateur de service ne voit rien.",
  },
  audience: {
    en: "Under “Access data for” choose “Everyone”, and take away the condition that the lifecycle status is Employed: it hides who has left, who will begin and who is away.",
    de: "Wählen Sie unter „Access data for“ „Everyone“, und entfernen Sie die Bedingung, dass der Lifecycle-Status Employed ist: Sie verbirgt, wer gegangen ist, wer anfangen wird und wer abwesend ist.",
    es: "En «Access data for» elija «Everyone» y quite la condición de que el estado sea Employed: oculta a quienes se fueron, a quienes empezarán y a quienes están ausentes.",
    fr: "Sous « Access data for », choisissez « Everyone » et retirez la condition que le statut soit Employed : elle cache ceux qui sont partis, ceux qui vont commencer et ceux qui sont absents.",
  },
  paste: {
    en: "Paste the ID and the token here.",
    de: "Fügen Sie ID und Token hier ein.",
    es: "Pegue aquí el ID y el token.",
    fr: "Collez ici l’ID et le jeton.",
  },
  people: {
    en: "People’s data: view Basic info, About, Work, Employment, Lifecycle, Personal, Personal contact details, Address, Home, Identification, EEO, Emergency contact and Payroll, and the histories of Work, Employment, Lifecycle and Payroll.",
    de: "People’s data: Ansehen von Basic info, About, Work, Employment, Lifecycle, Personal, Personal contact details, Address, Home, Identification, EEO, Emergency contact und Payroll, und die „histories“ von Work, Employment, Lifecycle und Payroll.",
    es: "People’s data: ver Basic info, About, Work, Employment, Lifecycle, Personal, Personal contact details, Address, Home, Identification, EEO, Emergency contact y Payroll, y los «histories» de Work, Employment, Lifecycle y Payroll.",
    fr: "People’s data : voir Basic info, About, Work, Employment, Lifecycle, Personal, Personal contact details, Address, Home, Identification, EEO, Emergency contact et Payroll, et les « histories » de Work, Employment, Lifecycle et Payroll.",
  },
  leave: {
    en: "Time off: see who is out, private policies, requests that wait, and balances.",
    de: "Time off: sehen, wer abwesend ist, private Richtlinien, wartende Anträge und Salden.",
    es: "Time off: ver quién está ausente, las políticas privadas, las solicitudes pendientes y los saldos.",
    fr: "Time off : voir qui est absent, les règles privées, les demandes en attente et les soldes.",
  },
  writing: {
    en: "Balances need “Manage” of the time off settings, and working times “Manage time attendance sheets”. Both allow changes too. Only what you agree to here is read.",
    de: "Salden brauchen „Manage“ der Einstellungen von Time off, Arbeitszeiten „Manage time attendance sheets“. Beides erlaubt auch Änderungen. Gelesen wird nur, womit Sie hier einverstanden sind.",
    es: "Los saldos necesitan «Manage» de los ajustes de Time off, y las horas de trabajo «Manage time attendance sheets». Ambos permiten también cambios. Solo se lee lo que usted acepta aquí.",
    fr: "Les soldes demandent « Manage » des paramètres de Time off, et les heures de travail « Manage time attendance sheets ». Les deux permettent aussi des modifications. Seul ce que vous acceptez ici est lu.",
  },
  ending: {
    en: "Open “Service users” in the same way and delete the service user. Its token works until then.",
    de: "Öffnen Sie „Service users“ auf demselben Weg und löschen Sie den Service-Benutzer. Bis dahin gilt sein Token.",
    es: "Abra «Service users» del mismo modo y elimine el usuario de servicio. Hasta entonces su token vale.",
    fr: "Ouvrez « Service users » de la même manière et supprimez l’utilisateur de service. Son jeton est valable jusque-là.",
  },
} as const;

export const texts = textsOf(said);

export const keyRecipe: Recipe = {
  field: "token",
  title: said.where.en,
  steps: [
    {
      text: said.open.en,
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 0, y: 0, width: 4, height: 1, look: "text" },
        { x: 0, y: 1, width: 5, height: 1, look: "text" },
        { x: 7, y: 1, width: 8, height: 3, look: "area" },
        { x: 7, y: 1, width: 8, height: 1, look: "text", label: said.menu.en, isMarked: true },
      ],
    },
    { text: said.make.en },
    { text: said.group.en },
    { text: said.audience.en },
    { text: said.paste.en },
  ],
  rights: [said.people.en, said.leave.en, said.writing.en],
  ending: [said.ending.en],
};
