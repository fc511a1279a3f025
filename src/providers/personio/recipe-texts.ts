import type { ProviderTexts } from "../contract.ts";

/** What the recipe says, in other languages. */
export const recipeTexts = {
  de: {
    "Where do I find the client ID and the client secret?":
      "Wo finde ich Client-ID und Client-Secret?",
    "Sign in to Personio as an administrator, open “Marketplace” and there “Connected integrations”. In an older Personio it is “Settings”, “Integrations”, “API credentials”.":
      "Melden Sie sich bei Personio als Administratorin oder Administrator an und öffnen Sie die verbundenen Integrationen, auf Englisch „Marketplace“, „Connected integrations“. In einem älteren Personio ist es „Settings“, „Integrations“, „API credentials“.",
    Marketplace: "Marketplace",
    "Connected integrations": "Connected integrations",
    "Make new API credentials for this access alone, with a name that you will know again.":
      "Erstellen Sie neue API-Zugangsdaten nur für diesen Zugriff, mit einem Namen, den Sie wiedererkennen.",
    "Choose the rights to read, which stand below. No right to write is needed.":
      "Wählen Sie die Leserechte, die unten stehen. Schreibrechte sind nicht nötig.",
    "Choose the attributes of employees that may be read, such as name, position and salary. Personio leaves out all others.":
      "Wählen Sie die Mitarbeiterattribute, die gelesen werden dürfen, zum Beispiel Name, Position und Gehalt. Alle anderen lässt Personio weg.",
    "Copy the client ID and the client secret before you leave the page, and paste both here. Each begins with “papi-”.":
      "Kopieren Sie Client-ID und Client-Secret, bevor Sie die Seite verlassen, und fügen Sie beide hier ein. Beide beginnen mit „papi-“.",
    "papi-": "papi-",
    "Reading is enough for each right. If one is missing, the rest can still be read.":
      "Bei jedem Recht genügt Lesen. Fehlt eines, kann der Rest trotzdem gelesen werden.",
    "People: employees, with the attributes that this page names.":
      "Personen: Mitarbeiter („employees“) mit den Attributen, die diese Seite nennt.",
    "Pay from earlier years, and full or part time: compensations.":
      "Frühere Gehälter sowie Voll- oder Teilzeit: Vergütungen („compensations“).",
    "Time off, and what is left of it: employees and absences.":
      "Abwesenheiten und Restguthaben: Mitarbeiter („employees“) und Abwesenheiten („absences“).",
    "Hours worked: attendances.": "Arbeitszeiten: Anwesenheiten („attendances“).",
    "Company, departments, cost centres and work locations: legal entities, org units, cost centers and workplaces.":
      "Firma, Abteilungen, Kostenstellen und Arbeitsorte: „legal entities“, „org units“, „cost centers“ und „workplaces“.",
    "Delete the credentials in the same place. They stay in Personio until you do, also when the access has been ended here.":
      "Löschen Sie die Zugangsdaten an derselben Stelle. Bis dahin bleiben sie in Personio bestehen, auch wenn der Zugriff hier beendet wurde.",
  },
  es: {
    "Where do I find the client ID and the client secret?":
      "¿Dónde encuentro el ID y el secreto de cliente?",
    "Sign in to Personio as an administrator, open “Marketplace” and there “Connected integrations”. In an older Personio it is “Settings”, “Integrations”, “API credentials”.":
      "Inicie sesión en Personio como administrador y abra las integraciones conectadas, en inglés «Marketplace», «Connected integrations». En un Personio más antiguo es «Settings», «Integrations», «API credentials».",
    Marketplace: "Marketplace",
    "Connected integrations": "Connected integrations",
    "Make new API credentials for this access alone, with a name that you will know again.":
      "Cree credenciales de API nuevas solo para este acceso, con un nombre que vaya a reconocer.",
    "Choose the rights to read, which stand below. No right to write is needed.":
      "Elija los permisos de lectura que figuran más abajo. No hace falta ninguno de escritura.",
    "Choose the attributes of employees that may be read, such as name, position and salary. Personio leaves out all others.":
      "Elija los atributos de empleados que se pueden leer, como nombre, puesto y salario. Personio omite todos los demás.",
    "Copy the client ID and the client secret before you leave the page, and paste both here. Each begins with “papi-”.":
      "Copie el ID y el secreto de cliente antes de salir de la página y pegue ambos aquí. Los dos empiezan por «papi-».",
    "papi-": "papi-",
    "Reading is enough for each right. If one is missing, the rest can still be read.":
      "Para cada permiso basta con la lectura. Si falta alguno, lo demás se puede leer igualmente.",
    "People: employees, with the attributes that this page names.":
      "Personas: empleados («employees»), con los atributos que indica esta página.",
    "Pay from earlier years, and full or part time: compensations.":
      "Salarios anteriores y jornada completa o parcial: remuneraciones («compensations»).",
    "Time off, and what is left of it: employees and absences.":
      "Ausencias y saldos: empleados («employees») y ausencias («absences»).",
    "Hours worked: attendances.": "Horas trabajadas: asistencias («attendances»).",
    "Company, departments, cost centres and work locations: legal entities, org units, cost centers and workplaces.":
      "Empresa, departamentos, centros de coste y lugares de trabajo: «legal entities», «org units», «cost centers» y «workplaces».",
    "Delete the credentials in the same place. They stay in Personio until you do, also when the access has been ended here.":
      "Elimine las credenciales en el mismo lugar. Hasta entonces siguen en Personio, aunque el acceso se haya finalizado aquí.",
  },
  fr: {
    "Where do I find the client ID and the client secret?":
      "Où trouver l’ID client et le secret client ?",
    "Sign in to Personio as an administrator, open “Marketplace” and there “Connected integrations”. In an older Personio it is “Settings”, “Integrations”, “API credentials”.":
      "Connectez-vous à Personio en tant qu’administrateur et ouvrez les intégrations connectées, en anglais « Marketplace », « Connected integrations ». Dans un Personio plus ancien : « Settings », « Integrations », « API credentials ».",
    Marketplace: "Marketplace",
    "Connected integrations": "Connected integrations",
    "Make new API credentials for this access alone, with a name that you will know again.":
      "Créez de nouveaux identifiants d’API réservés à cet accès, avec un nom que vous reconnaîtrez.",
    "Choose the rights to read, which stand below. No right to write is needed.":
      "Choisissez les droits de lecture indiqués plus bas. Aucun droit d’écriture n’est nécessaire.",
    "Choose the attributes of employees that may be read, such as name, position and salary. Personio leaves out all others.":
      "Choisissez les attributs des employés qui peuvent être lus, comme le nom, le poste et le salaire. Personio omet tous les autres.",
    "Copy the client ID and the client secret before you leave the page, and paste both here. Each begins with “papi-”.":
      "Copiez l’ID client et le secret client avant de quitter la page, et collez-les tous deux ici. Les deux commencent par « papi- ».",
    "papi-": "papi-",
    "Reading is enough for each right. If one is missing, the rest can still be read.":
      "Pour chaque droit, la lecture suffit. S’il en manque un, le reste peut tout de même être lu.",
    "People: employees, with the attributes that this page names.":
      "Personnes : employés (« employees »), avec les attributs cités sur cette page.",
    "Pay from earlier years, and full or part time: compensations.":
      "Salaires passés, temps plein ou partiel : rémunérations (« compensations »).",
    "Time off, and what is left of it: employees and absences.":
      "Absences et soldes : employés (« employees ») et absences (« absences »).",
    "Hours worked: attendances.": "Heures travaillées : présences (« attendances »).",
    "Company, departments, cost centres and work locations: legal entities, org units, cost centers and workplaces.":
      "Entreprise, services, centres de coûts et lieux de travail : « legal entities », « org units », « cost centers » et « workplaces ».",
    "Delete the credentials in the same place. They stay in Personio until you do, also when the access has been ended here.":
      "Supprimez les identifiants au même endroit. Ils restent dans Personio jusque-là, même si l’accès a été supprimé ici.",
  },
} satisfies ProviderTexts;
