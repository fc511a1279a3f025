import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipes say, in other languages. */
export const recipeTexts: RecipeTexts = {
  "Where do I find the API key?": {
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  "In Odoo, click your picture at the top right and choose “My Preferences”.": {
    de: "Klicken Sie in Odoo oben rechts auf Ihr Bild und wählen Sie „Meine Präferenzen“.",
    es: "En Odoo, haga clic en su foto, arriba a la derecha, y elija «Mis preferencias».",
    fr: "Dans Odoo, cliquez sur votre photo en haut à droite et choisissez « Mes préférences ».",
  },
  "My Preferences": { de: "Meine Präferenzen", es: "Mis preferencias", fr: "Mes préférences" },
  "Open the “Security” tab.": {
    de: "Öffnen Sie den Reiter „Sicherheit“.",
    es: "Abra la pestaña «Seguridad».",
    fr: "Ouvrez l’onglet « Sécurité ».",
  },
  Preferences: { de: "Präferenzen", es: "Preferencias", fr: "Préférences" },
  Calendar: { de: "Kalender", es: "Calendario", fr: "Calendrier" },
  Security: { de: "Sicherheit", es: "Seguridad", fr: "Sécurité" },
  "Under “API Keys”, click “Add API Key”, and confirm with your password if Odoo asks for it.": {
    de: "Klicken Sie bei „API-Schlüssel“ auf „API-Schlüssel hinzufügen“ und bestätigen Sie mit Ihrem Passwort, falls Odoo danach fragt.",
    es: "En «Claves API», haga clic en «Añadir clave API» (o «Add API Key») y confirme con su contraseña si Odoo se la pide.",
    fr: "Sous « Clés API », cliquez sur « Ajouter une clé API » et confirmez avec votre mot de passe si Odoo vous le demande.",
  },
  "API Keys": { de: "API-Schlüssel", es: "Claves API", fr: "Clés API" },
  "Add API Key": {
    de: "API-Schlüssel hinzufügen",
    es: "Añadir clave API",
    fr: "Ajouter une clé API",
  },
  "Type a name that you will know again, and choose the longest duration: when it is over, you have to sign in here again with a new key. Click “Generate key”.":
    {
      de: "Geben Sie einen Namen ein, den Sie wiedererkennen, und wählen Sie die längste Dauer: Ist sie abgelaufen, müssen Sie sich hier mit einem neuen Schlüssel erneut anmelden. Klicken Sie auf „Schlüssel generieren“.",
      es: "Escriba un nombre que vaya a reconocer y elija la duración más larga: cuando termine, tendrá que volver a iniciar sesión aquí con una clave nueva. Haga clic en «Generar clave».",
      fr: "Saisissez un nom que vous reconnaîtrez et choisissez la durée la plus longue : une fois écoulée, il vous faudra vous connecter ici avec une nouvelle clé. Cliquez sur « Générer une clé ».",
    },
  Duration: { de: "Dauer", es: "Duración", fr: "Durée" },
  "Generate key": { de: "Schlüssel generieren", es: "Generar clave", fr: "Générer une clé" },
  "Copy the key at once, because Odoo shows it only once, and paste it here.": {
    de: "Kopieren Sie den Schlüssel sofort, denn Odoo zeigt ihn nur einmal an, und fügen Sie ihn hier ein.",
    es: "Copie la clave enseguida, porque Odoo la muestra una sola vez, y péguela aquí.",
    fr: "Copiez la clé tout de suite, car Odoo ne l’affiche qu’une fois, et collez-la ici.",
  },
  "Your rights in Odoo decide what can be read. Your Odoo administrator sets them under “Settings”, “Users”. If one is missing, the rest can still be read.":
    {
      de: "Ihre Rechte in Odoo entscheiden, was gelesen werden kann. Ihre Odoo-Administration legt sie unter „Einstellungen“, „Benutzer“ fest. Fehlt eines, kann der Rest trotzdem gelesen werden.",
      es: "Sus permisos en Odoo deciden qué se puede leer. Los asigna su administrador de Odoo en «Ajustes», «Usuarios». Si falta alguno, lo demás se puede leer igualmente.",
      fr: "Vos droits dans Odoo déterminent ce qui peut être lu. Votre administrateur Odoo les définit sous « Paramètres », « Utilisateurs ». S’il en manque un, le reste peut tout de même être lu.",
    },
  "Employees with contracts and pay: “Administrator” for “Employees”.": {
    de: "Beschäftigte mit Verträgen und Gehalt: „Administrator“ bei „Mitarbeiter“.",
    es: "Empleados con contratos y salario: «Administrador» en «Empleados».",
    fr: "Salariés avec contrats et rémunération : « Administrateur » pour « Employés ».",
  },
  "Time off: “Officer: Manage all requests” for “Time Off”.": {
    de: "Abwesenheiten: „Sachbearbeiter: Alle Anträge verwalten“ bei „Abwesenheiten“.",
    es: "Ausencias: «Encargado: gestionar todas las solicitudes» en «Ausencias».",
    fr: "Absences : « Gestionnaire : Gérer toutes les demandes » pour « Congés ».",
  },
  "Hours worked: “Officer: Manage all attendances” for “Attendances”, or “Administrator” for “Timesheets”.":
    {
      de: "Arbeitszeiten: „Sachbearbeiter: Alle Anwesenheiten verwalten“ bei „Anwesenheiten“ oder „Administrator“ bei „Zeiterfassung“.",
      es: "Horas trabajadas: «Encargado: gestionar todas las asistencias» en «Asistencias», o «Administrador» en «Partes de horas».",
      fr: "Heures travaillées : « Responsable : gérer toutes les présences » pour « Présences », ou « Administrateur » pour « Feuilles de temps ».",
    },
  "In “My Preferences”, “Security”, click “Delete” beside the key. From then on nothing can be read with it.":
    {
      de: "Klicken Sie unter „Meine Präferenzen“, „Sicherheit“ neben dem Schlüssel auf „Löschen“. Ab dann kann damit nichts mehr gelesen werden.",
      es: "En «Mis preferencias», «Seguridad», haga clic en «Eliminar» junto a la clave. A partir de entonces no se puede leer nada con ella.",
      fr: "Sous « Mes préférences », « Sécurité », cliquez sur « Supprimer » à côté de la clé. Dès lors, plus rien ne peut être lu avec elle.",
    },
  "Where do I find my address and password?": {
    de: "Wo finde ich Adresse und Passwort?",
    es: "¿Dónde encuentro la dirección y la contraseña?",
    fr: "Où trouver l’adresse et le mot de passe ?",
  },
  "Open Odoo in your browser. The address of your Odoo is the beginning of what the address bar shows.":
    {
      de: "Öffnen Sie Odoo in Ihrem Browser. Die Adresse Ihres Odoo ist der Anfang dessen, was in der Adresszeile steht.",
      es: "Abra Odoo en su navegador. La dirección de su Odoo es el principio de lo que muestra la barra de direcciones.",
      fr: "Ouvrez Odoo dans votre navigateur. L’adresse de votre Odoo est le début de ce qu’affiche la barre d’adresse.",
    },
  "https://example.odoo.com": {
    de: "https://example.odoo.com",
    es: "https://example.odoo.com",
    fr: "https://example.odoo.com",
  },
  "Your email and password are those that you sign in to Odoo with. If you have forgotten the password, click “Reset Password” on the sign-in page of Odoo.":
    {
      de: "E-Mail-Adresse und Passwort sind die, mit denen Sie sich bei Odoo anmelden. Wenn Sie das Passwort vergessen haben, klicken Sie auf der Anmeldeseite von Odoo auf „Passwort zurücksetzen“.",
      es: "El correo electrónico y la contraseña son los que utiliza para iniciar sesión en Odoo. Si ha olvidado la contraseña, haga clic en «Restablecer contraseña» en la página de inicio de sesión de Odoo.",
      fr: "L’adresse e-mail et le mot de passe sont ceux avec lesquels vous vous connectez à Odoo. Si vous avez oublié le mot de passe, cliquez sur « Réinitialiser le mot de passe » sur la page de connexion d’Odoo.",
    },
  "Reset Password": {
    de: "Passwort zurücksetzen",
    es: "Restablecer contraseña",
    fr: "Réinitialiser le mot de passe",
  },
  "If you sign in to Odoo by Odoo.com, Google or Microsoft, you have no password there yet. Your Odoo administrator opens your user under “Settings”, “Users”, and chooses “Change Password” in the menu at the gear.":
    {
      de: "Wenn Sie sich bei Odoo über Odoo.com, Google oder Microsoft anmelden, haben Sie dort noch kein Passwort. Ihre Odoo-Administration öffnet Ihren Benutzer unter „Einstellungen“, „Benutzer“ und wählt im Menü am Zahnrad „Passwort ändern“.",
      es: "Si inicia sesión en Odoo con Odoo.com, Google o Microsoft, todavía no tiene contraseña allí. Su administrador de Odoo abre su usuario en «Ajustes», «Usuarios» y elige «Cambiar contraseña» en el menú del engranaje.",
      fr: "Si vous vous connectez à Odoo avec Odoo.com, Google ou Microsoft, vous n’y avez pas encore de mot de passe. Votre administrateur Odoo ouvre votre utilisateur sous « Paramètres », « Utilisateurs » et choisit « Modifier le mot de passe » dans le menu de la roue dentée.",
    },
  Users: { de: "Benutzer", es: "Usuarios", fr: "Utilisateurs" },
  "Change Password": {
    de: "Passwort ändern",
    es: "Cambiar contraseña",
    fr: "Modifier le mot de passe",
  },
  "Pay runs and payslips: “Administrator” for “Payroll”.": {
    de: "Lohnläufe und Lohnabrechnungen: „Administrator“ bei „Personalabrechnung“.",
    es: "Nóminas y recibos de nómina: «Administrador» en «Nómina».",
    fr: "Périodes et bulletins de paie : « Administrateur » pour « Paie ».",
  },
  "Change your password in Odoo, in “My Preferences”, “Security” (before version 19: “Preferences” or “My Profile”, “Account Security”).":
    {
      de: "Ändern Sie Ihr Passwort in Odoo, unter „Meine Präferenzen“, „Sicherheit“ (vor Version 19: „Präferenzen“ oder „Mein Profil“, „Kontosicherheit“).",
      es: "Cambie su contraseña en Odoo, en «Mis preferencias», «Seguridad» (antes de la versión 19: «Preferencias» o «Mi perfil», «Seguridad de la cuenta»).",
      fr: "Modifiez votre mot de passe dans Odoo, sous « Mes préférences », « Sécurité » (avant la version 19 : « Préférences » ou « Mon profil », « Sécurité du compte »).",
    },
};
