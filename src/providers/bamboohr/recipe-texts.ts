import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipes say, in other languages. */
export const recipeTexts: RecipeTexts = {
  "Where do I find the API key?": {
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  "In BambooHR, click your picture or your name, at the bottom left or at the top right, and choose “API Keys” or “My Device & API Keys”.":
    {
      de: "Klicken Sie in BambooHR unten links oder oben rechts auf Ihr Bild oder Ihren Namen und wählen Sie „API Keys“ oder „My Device & API Keys“.",
      es: "En BambooHR, haga clic en su foto o su nombre, abajo a la izquierda o arriba a la derecha, y elija «API Keys» o «My Device & API Keys».",
      fr: "Dans BambooHR, cliquez sur votre photo ou votre nom, en bas à gauche ou en haut à droite, et choisissez « API Keys » ou « My Device & API Keys ».",
    },
  "API Keys": { de: "API Keys", es: "API Keys", fr: "API Keys" },
  "Click “Add New Key”.": {
    de: "Klicken Sie auf „Add New Key“.",
    es: "Haga clic en «Add New Key».",
    fr: "Cliquez sur « Add New Key ».",
  },
  "Add New Key": { de: "Add New Key", es: "Add New Key", fr: "Add New Key" },
  "Type a name that you will know again, and click “Generate Key”.": {
    de: "Geben Sie einen Namen ein, den Sie wiedererkennen, und klicken Sie auf „Generate Key“.",
    es: "Escriba un nombre que vaya a reconocer y haga clic en «Generate Key».",
    fr: "Saisissez un nom que vous reconnaîtrez et cliquez sur « Generate Key ».",
  },
  "Generate Key": { de: "Generate Key", es: "Generate Key", fr: "Generate Key" },
  "Copy the key at once, because BambooHR shows it only once, and paste it here.": {
    de: "Kopieren Sie den Schlüssel sofort, denn BambooHR zeigt ihn nur einmal an, und fügen Sie ihn hier ein.",
    es: "Copie la clave enseguida, porque BambooHR la muestra una sola vez, y péguela aquí.",
    fr: "Copiez la clé tout de suite, car BambooHR ne l’affiche qu’une fois, et collez-la ici.",
  },
  "The key has the rights of the user who makes it. If one is missing, the rest can still be read.":
    {
      de: "Der Schlüssel hat die Rechte des Benutzers, der ihn erstellt. Fehlt eines, kann der Rest trotzdem gelesen werden.",
      es: "La clave tiene los permisos del usuario que la crea. Si falta alguno, lo demás se puede leer igualmente.",
      fr: "La clé a les droits de l’utilisateur qui la crée. S’il en manque un, le reste peut tout de même être lu.",
    },
  "Best is a user for this alone: an administrator makes an access level under “Settings”, “Access Levels”, with “View Only” for the data that this page names, adds a non-employee user to it, and makes the key as this user.":
    {
      de: "Am besten ist ein Benutzer nur dafür: Eine Administratorin oder ein Administrator legt unter „Settings“, „Access Levels“ eine Zugriffsebene mit „View Only“ für die Daten an, die diese Seite nennt, fügt ihr einen Benutzer hinzu, der kein Mitarbeiter ist, und erstellt den Schlüssel als dieser Benutzer.",
      es: "Lo mejor es un usuario solo para esto: un administrador crea un nivel de acceso en «Settings», «Access Levels», con «View Only» para los datos que indica esta página, le añade un usuario que no sea empleado y crea la clave con ese usuario.",
      fr: "Le mieux est un utilisateur réservé à cet usage : un administrateur crée un niveau d’accès sous « Settings », « Access Levels », avec « View Only » pour les données citées sur cette page, y ajoute un utilisateur qui n’est pas salarié et crée la clé avec cet utilisateur.",
    },
  "Numbers, dates of leaving, personal details and home addresses need the right to reports, too.":
    {
      de: "Personalnummern, Austrittsdaten, persönliche Angaben und Privatadressen erfordern auch das Recht auf Berichte.",
      es: "Los números de empleado, las fechas de baja, los datos personales y las direcciones particulares requieren además el permiso de informes.",
      fr: "Les matricules, les dates de départ, les informations personnelles et les adresses privées nécessitent aussi le droit aux rapports.",
    },
  "Dependents need the right to administer benefits.": {
    de: "Angehörige erfordern das Recht, Sozialleistungen zu verwalten.",
    es: "Los familiares a cargo requieren el permiso para administrar prestaciones.",
    fr: "Les personnes à charge nécessitent le droit d’administrer les avantages sociaux.",
  },
  "Open “API Keys” in the same way and delete the key. Administrators see all keys under “Settings”, “Account”, “API Management”.":
    {
      de: "Öffnen Sie „API Keys“ auf demselben Weg und löschen Sie den Schlüssel. Administratoren sehen alle Schlüssel unter „Settings“, „Account“, „API Management“.",
      es: "Abra «API Keys» del mismo modo y elimine la clave. Los administradores ven todas las claves en «Settings», «Account», «API Management».",
      fr: "Ouvrez « API Keys » de la même façon et supprimez la clé. Les administrateurs voient toutes les clés sous « Settings », « Account », « API Management ».",
    },
  "The key ends, too, when the user who made it is disabled.": {
    de: "Der Schlüssel endet auch, wenn der Benutzer deaktiviert wird, der ihn erstellt hat.",
    es: "La clave también deja de funcionar cuando se desactiva el usuario que la creó.",
    fr: "La clé cesse aussi de fonctionner lorsque l’utilisateur qui l’a créée est désactivé.",
  },
  "Where do I find the company domain?": {
    de: "Wo finde ich die Domain der Firma?",
    es: "¿Dónde encuentro el dominio de la empresa?",
    fr: "Où trouver le domaine de l’entreprise ?",
  },
  "Open BambooHR in your browser. The company domain is the part of the address before “.bamboohr.com”.":
    {
      de: "Öffnen Sie BambooHR in Ihrem Browser. Die Domain der Firma ist der Teil der Adresse vor „.bamboohr.com“.",
      es: "Abra BambooHR en su navegador. El dominio de la empresa es la parte de la dirección anterior a «.bamboohr.com».",
      fr: "Ouvrez BambooHR dans votre navigateur. Le domaine de l’entreprise est la partie de l’adresse avant « .bamboohr.com ».",
    },
  example: { de: "beispiel", es: "ejemplo", fr: "exemple" },
  ".bamboohr.com": { de: ".bamboohr.com", es: ".bamboohr.com", fr: ".bamboohr.com" },
  "Type it here and continue. Then BambooHR asks you to sign in and to approve the access.": {
    de: "Geben Sie sie hier ein und fahren Sie fort. BambooHR bittet Sie dann, sich anzumelden und dem Zugriff zuzustimmen.",
    es: "Escríbalo aquí y continúe. BambooHR le pedirá después que inicie sesión y que apruebe el acceso.",
    fr: "Saisissez-le ici et continuez. BambooHR vous demande ensuite de vous connecter et d’approuver l’accès.",
  },
  "The access has the rights of the user who approves it. If one is missing, the rest can still be read.":
    {
      de: "Der Zugriff hat die Rechte des Benutzers, der ihm zustimmt. Fehlt eines, kann der Rest trotzdem gelesen werden.",
      es: "El acceso tiene los permisos del usuario que lo aprueba. Si falta alguno, lo demás se puede leer igualmente.",
      fr: "L’accès a les droits de l’utilisateur qui l’approuve. S’il en manque un, le reste peut tout de même être lu.",
    },
  "Ask your BambooHR administrator to remove the access of the application.": {
    de: "Bitten Sie Ihre BambooHR-Administration, der Anwendung den Zugriff zu entziehen.",
    es: "Pida a su administrador de BambooHR que retire el acceso de la aplicación.",
    fr: "Demandez à votre administrateur BambooHR de retirer l’accès de l’application.",
  },
};
