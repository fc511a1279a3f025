import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipe says, in other languages. */
export const recipeTexts: RecipeTexts = {
  "Where do I find the client ID and the client secret?": {
    de: "Wo finde ich Client-ID und Client-Secret?",
    es: "¿Dónde encuentro el ID y el secreto de cliente?",
    fr: "Où trouver l’ID client et le secret client ?",
  },
  "Sign in to Personio as an administrator, open “Marketplace” and there “Connected integrations”. In an older Personio it is “Settings”, “Integrations”, “API credentials”.":
    {
      de: "Melden Sie sich bei Personio als Administratorin oder Administrator an und öffnen Sie die verbundenen Integrationen, auf Englisch „Marketplace“, „Connected integrations“. In einem älteren Personio ist es „Settings“, „Integrations“, „API credentials“.",
      es: "Inicie sesión en Personio como administrador y abra las integraciones conectadas, en inglés «Marketplace», «Connected integrations». En un Personio más antiguo es «Settings», «Integrations», «API credentials».",
      fr: "Connectez-vous à Personio en tant qu’administrateur et ouvrez les intégrations connectées, en anglais « Marketplace », « Connected integrations ». Dans un Personio plus ancien : « Settings », « Integrations », « API credentials ».",
    },
  Marketplace: { de: "Marketplace", es: "Marketplace", fr: "Marketplace" },
  "Connected integrations": {
    de: "Connected integrations",
    es: "Connected integrations",
    fr: "Connected integrations",
  },
  "Make new API credentials for this access alone, with a name that you will know again.": {
    de: "Erstellen Sie neue API-Zugangsdaten nur für diesen Zugriff, mit einem Namen, den Sie wiedererkennen.",
    es: "Cree credenciales de API nuevas solo para este acceso, con un nombre que vaya a reconocer.",
    fr: "Créez de nouveaux identifiants d’API réservés à cet accès, avec un nom que vous reconnaîtrez.",
  },
  "Choose the rights to read, which stand below. No right to write is needed.": {
    de: "Wählen Sie die Leserechte, die unten stehen. Schreibrechte sind nicht nötig.",
    es: "Elija los permisos de lectura que figuran más abajo. No hace falta ninguno de escritura.",
    fr: "Choisissez les droits de lecture indiqués plus bas. Aucun droit d’écriture n’est nécessaire.",
  },
  "Choose the attributes of employees that may be read, such as name, position and salary. Personio leaves out all others.":
    {
      de: "Wählen Sie die Mitarbeiterattribute, die gelesen werden dürfen, zum Beispiel Name, Position und Gehalt. Alle anderen lässt Personio weg.",
      es: "Elija los atributos de empleados que se pueden leer, como nombre, puesto y salario. Personio omite todos los demás.",
      fr: "Choisissez les attributs des employés qui peuvent être lus, comme le nom, le poste et le salaire. Personio omet tous les autres.",
    },
  "Copy the client ID and the client secret before you leave the page, and paste both here. Each begins with “papi-”.":
    {
      de: "Kopieren Sie Client-ID und Client-Secret, bevor Sie die Seite verlassen, und fügen Sie beide hier ein. Beide beginnen mit „papi-“.",
      es: "Copie el ID y el secreto de cliente antes de salir de la página y pegue ambos aquí. Los dos empiezan por «papi-».",
      fr: "Copiez l’ID client et le secret client avant de quitter la page, et collez-les tous deux ici. Les deux commencent par « papi- ».",
    },
  "papi-": { de: "papi-", es: "papi-", fr: "papi-" },
  "Reading is enough for each right. If one is missing, the rest can still be read.": {
    de: "Bei jedem Recht genügt Lesen. Fehlt eines, kann der Rest trotzdem gelesen werden.",
    es: "Para cada permiso basta con la lectura. Si falta alguno, lo demás se puede leer igualmente.",
    fr: "Pour chaque droit, la lecture suffit. S’il en manque un, le reste peut tout de même être lu.",
  },
  "People: employees, with the attributes that this page names.": {
    de: "Personen: Mitarbeiter („employees“) mit den Attributen, die diese Seite nennt.",
    es: "Personas: empleados («employees»), con los atributos que indica esta página.",
    fr: "Personnes : employés (« employees »), avec les attributs cités sur cette page.",
  },
  "Pay from earlier years, and full or part time: compensations.": {
    de: "Frühere Gehälter sowie Voll- oder Teilzeit: Vergütungen („compensations“).",
    es: "Salarios anteriores y jornada completa o parcial: remuneraciones («compensations»).",
    fr: "Salaires passés, temps plein ou partiel : rémunérations (« compensations »).",
  },
  "Time off, and what is left of it: employees and absences.": {
    de: "Abwesenheiten und Restguthaben: Mitarbeiter („employees“) und Abwesenheiten („absences“).",
    es: "Ausencias y saldos: empleados («employees») y ausencias («absences»).",
    fr: "Absences et soldes : employés (« employees ») et absences (« absences »).",
  },
  "Hours worked: attendances.": {
    de: "Arbeitszeiten: Anwesenheiten („attendances“).",
    es: "Horas trabajadas: asistencias («attendances»).",
    fr: "Heures travaillées : présences (« attendances »).",
  },
  "Company, departments, cost centres and work locations: legal entities, org units, cost centers and workplaces.":
    {
      de: "Firma, Abteilungen, Kostenstellen und Arbeitsorte: „legal entities“, „org units“, „cost centers“ und „workplaces“.",
      es: "Empresa, departamentos, centros de coste y lugares de trabajo: «legal entities», «org units», «cost centers» y «workplaces».",
      fr: "Entreprise, services, centres de coûts et lieux de travail : « legal entities », « org units », « cost centers » et « workplaces ».",
    },
  "Delete the credentials in the same place. They stay in Personio until you do, also when the access has been ended here.":
    {
      de: "Löschen Sie die Zugangsdaten an derselben Stelle. Bis dahin bleiben sie in Personio bestehen, auch wenn der Zugriff hier beendet wurde.",
      es: "Elimine las credenciales en el mismo lugar. Hasta entonces siguen en Personio, aunque el acceso se haya finalizado aquí.",
      fr: "Supprimez les identifiants au même endroit. Ils restent dans Personio jusque-là, même si l’accès a été supprimé ici.",
    },
};
