import type { ProviderTexts } from "../contract.ts";

/** What the recipes say, in other languages. */
export const recipeTexts = {
  de: {
    "Where do I find the API key?": "Wo finde ich den API-Schlüssel?",
    "In BambooHR, click your picture or your name, at the bottom left or at the top right, and choose “API Keys” or “My Device & API Keys”.":
      "Klicken Sie in BambooHR unten links oder oben rechts auf Ihr Bild oder Ihren Namen und wählen Sie „API Keys“ oder „My Device & API Keys“.",
    "API Keys": "API Keys",
    "Click “Add New Key”.": "Klicken Sie auf „Add New Key“.",
    "Add New Key": "Add New Key",
    "Type a name that you will know again, and click “Generate Key”.":
      "Geben Sie einen Namen ein, den Sie wiedererkennen, und klicken Sie auf „Generate Key“.",
    "Generate Key": "Generate Key",
    "Copy the key at once, because BambooHR shows it only once, and paste it here.":
      "Kopieren Sie den Schlüssel sofort, denn BambooHR zeigt ihn nur einmal an, und fügen Sie ihn hier ein.",
    "The key has the rights of the user who makes it. If one is missing, the rest can still be read.":
      "Der Schlüssel hat die Rechte des Benutzers, der ihn erstellt. Fehlt eines, kann der Rest trotzdem gelesen werden.",
    "Best is a user for this alone: an administrator makes an access level under “Settings”, “Access Levels”, with “View Only” for the data that this page names, adds a non-employee user to it, and makes the key as this user.":
      "Am besten ist ein Benutzer nur dafür: Eine Administratorin oder ein Administrator legt unter „Settings“, „Access Levels“ eine Zugriffsebene mit „View Only“ für die Daten an, die diese Seite nennt, fügt ihr einen Benutzer hinzu, der kein Mitarbeiter ist, und erstellt den Schlüssel als dieser Benutzer.",
    "Numbers, dates of leaving, personal details and home addresses need the right to reports, too.":
      "Personalnummern, Austrittsdaten, persönliche Angaben und Privatadressen erfordern auch das Recht auf Berichte.",
    "Dependents need the right to administer benefits.":
      "Angehörige erfordern das Recht, Sozialleistungen zu verwalten.",
    "Open “API Keys” in the same way and delete the key. Administrators see all keys under “Settings”, “Account”, “API Management”.":
      "Öffnen Sie „API Keys“ auf demselben Weg und löschen Sie den Schlüssel. Administratoren sehen alle Schlüssel unter „Settings“, „Account“, „API Management“.",
    "The key ends, too, when the user who made it is disabled.":
      "Der Schlüssel endet auch, wenn der Benutzer deaktiviert wird, der ihn erstellt hat.",
    "Where do I find the company domain?": "Wo finde ich die Domain der Firma?",
    "Open BambooHR in your browser. The company domain is the part of the address before “.bamboohr.com”.":
      "Öffnen Sie BambooHR in Ihrem Browser. Die Domain der Firma ist der Teil der Adresse vor „.bamboohr.com“.",
    example: "beispiel",
    ".bamboohr.com": ".bamboohr.com",
    "Type it here and continue. Then BambooHR asks you to sign in and to approve the access.":
      "Geben Sie sie hier ein und fahren Sie fort. BambooHR bittet Sie dann, sich anzumelden und dem Zugriff zuzustimmen.",
    "The access has the rights of the user who approves it. If one is missing, the rest can still be read.":
      "Der Zugriff hat die Rechte des Benutzers, der ihm zustimmt. Fehlt eines, kann der Rest trotzdem gelesen werden.",
    "Ask your BambooHR administrator to remove the access of the application.":
      "Bitten Sie Ihre BambooHR-Administration, der Anwendung den Zugriff zu entziehen.",
  },
  es: {
    "Where do I find the API key?": "¿Dónde encuentro la clave API?",
    "In BambooHR, click your picture or your name, at the bottom left or at the top right, and choose “API Keys” or “My Device & API Keys”.":
      "En BambooHR, haga clic en su foto o su nombre, abajo a la izquierda o arriba a la derecha, y elija «API Keys» o «My Device & API Keys».",
    "API Keys": "API Keys",
    "Click “Add New Key”.": "Haga clic en «Add New Key».",
    "Add New Key": "Add New Key",
    "Type a name that you will know again, and click “Generate Key”.":
      "Escriba un nombre que vaya a reconocer y haga clic en «Generate Key».",
    "Generate Key": "Generate Key",
    "Copy the key at once, because BambooHR shows it only once, and paste it here.":
      "Copie la clave enseguida, porque BambooHR la muestra una sola vez, y péguela aquí.",
    "The key has the rights of the user who makes it. If one is missing, the rest can still be read.":
      "La clave tiene los permisos del usuario que la crea. Si falta alguno, lo demás se puede leer igualmente.",
    "Best is a user for this alone: an administrator makes an access level under “Settings”, “Access Levels”, with “View Only” for the data that this page names, adds a non-employee user to it, and makes the key as this user.":
      "Lo mejor es un usuario solo para esto: un administrador crea un nivel de acceso en «Settings», «Access Levels», con «View Only» para los datos que indica esta página, le añade un usuario que no sea empleado y crea la clave con ese usuario.",
    "Numbers, dates of leaving, personal details and home addresses need the right to reports, too.":
      "Los números de empleado, las fechas de baja, los datos personales y las direcciones particulares requieren además el permiso de informes.",
    "Dependents need the right to administer benefits.":
      "Los familiares a cargo requieren el permiso para administrar prestaciones.",
    "Open “API Keys” in the same way and delete the key. Administrators see all keys under “Settings”, “Account”, “API Management”.":
      "Abra «API Keys» del mismo modo y elimine la clave. Los administradores ven todas las claves en «Settings», «Account», «API Management».",
    "The key ends, too, when the user who made it is disabled.":
      "La clave también deja de funcionar cuando se desactiva el usuario que la creó.",
    "Where do I find the company domain?": "¿Dónde encuentro el dominio de la empresa?",
    "Open BambooHR in your browser. The company domain is the part of the address before “.bamboohr.com”.":
      "Abra BambooHR en su navegador. El dominio de la empresa es la parte de la dirección anterior a «.bamboohr.com».",
    example: "ejemplo",
    ".bamboohr.com": ".bamboohr.com",
    "Type it here and continue. Then BambooHR asks you to sign in and to approve the access.":
      "Escríbalo aquí y continúe. BambooHR le pedirá después que inicie sesión y que apruebe el acceso.",
    "The access has the rights of the user who approves it. If one is missing, the rest can still be read.":
      "El acceso tiene los permisos del usuario que lo aprueba. Si falta alguno, lo demás se puede leer igualmente.",
    "Ask your BambooHR administrator to remove the access of the application.":
      "Pida a su administrador de BambooHR que retire el acceso de la aplicación.",
  },
  fr: {
    "Where do I find the API key?": "Où trouver la clé API ?",
    "In BambooHR, click your picture or your name, at the bottom left or at the top right, and choose “API Keys” or “My Device & API Keys”.":
      "Dans BambooHR, cliquez sur votre photo ou votre nom, en bas à gauche ou en haut à droite, et choisissez « API Keys » ou « My Device & API Keys ».",
    "API Keys": "API Keys",
    "Click “Add New Key”.": "Cliquez sur « Add New Key ».",
    "Add New Key": "Add New Key",
    "Type a name that you will know again, and click “Generate Key”.":
      "Saisissez un nom que vous reconnaîtrez et cliquez sur « Generate Key ».",
    "Generate Key": "Generate Key",
    "Copy the key at once, because BambooHR shows it only once, and paste it here.":
      "Copiez la clé tout de suite, car BambooHR ne l’affiche qu’une fois, et collez-la ici.",
    "The key has the rights of the user who makes it. If one is missing, the rest can still be read.":
      "La clé a les droits de l’utilisateur qui la crée. S’il en manque un, le reste peut tout de même être lu.",
    "Best is a user for this alone: an administrator makes an access level under “Settings”, “Access Levels”, with “View Only” for the data that this page names, adds a non-employee user to it, and makes the key as this user.":
      "Le mieux est un utilisateur réservé à cet usage : un administrateur crée un niveau d’accès sous « Settings », « Access Levels », avec « View Only » pour les données citées sur cette page, y ajoute un utilisateur qui n’est pas salarié et crée la clé avec cet utilisateur.",
    "Numbers, dates of leaving, personal details and home addresses need the right to reports, too.":
      "Les matricules, les dates de départ, les informations personnelles et les adresses privées nécessitent aussi le droit aux rapports.",
    "Dependents need the right to administer benefits.":
      "Les personnes à charge nécessitent le droit d’administrer les avantages sociaux.",
    "Open “API Keys” in the same way and delete the key. Administrators see all keys under “Settings”, “Account”, “API Management”.":
      "Ouvrez « API Keys » de la même façon et supprimez la clé. Les administrateurs voient toutes les clés sous « Settings », « Account », « API Management ».",
    "The key ends, too, when the user who made it is disabled.":
      "La clé cesse aussi de fonctionner lorsque l’utilisateur qui l’a créée est désactivé.",
    "Where do I find the company domain?": "Où trouver le domaine de l’entreprise ?",
    "Open BambooHR in your browser. The company domain is the part of the address before “.bamboohr.com”.":
      "Ouvrez BambooHR dans votre navigateur. Le domaine de l’entreprise est la partie de l’adresse avant « .bamboohr.com ».",
    example: "exemple",
    ".bamboohr.com": ".bamboohr.com",
    "Type it here and continue. Then BambooHR asks you to sign in and to approve the access.":
      "Saisissez-le ici et continuez. BambooHR vous demande ensuite de vous connecter et d’approuver l’accès.",
    "The access has the rights of the user who approves it. If one is missing, the rest can still be read.":
      "L’accès a les droits de l’utilisateur qui l’approuve. S’il en manque un, le reste peut tout de même être lu.",
    "Ask your BambooHR administrator to remove the access of the application.":
      "Demandez à votre administrateur BambooHR de retirer l’accès de l’application.",
  },
} satisfies ProviderTexts;
