import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipe says, in other languages. */
export const recipeTexts: RecipeTexts = {
  "Where do I find the API key?": {
    de: "Wo finde ich den API-Schlüssel?",
    es: "¿Dónde encuentro la clave API?",
    fr: "Où trouver la clé API ?",
  },
  "Decide whose key it is: it can do all that its user can, and write too. Best is a user for this alone, whose role may only look.":
    {
      de: "Entscheiden Sie, wessen Schlüssel es ist: Er kann alles, was sein Benutzer kann, auch schreiben. Am besten ist ein Benutzer nur dafür, dessen Rolle nur lesen darf.",
      es: "Decida de quién es la clave: puede hacer todo lo que puede su usuario, también escribir. Lo mejor es un usuario solo para esto, cuyo rol solo permita consultar.",
      fr: "Décidez à qui est la clé : elle peut tout ce que peut son utilisateur, y compris écrire. Le mieux est un utilisateur réservé à cet usage, dont le rôle ne permet que de consulter.",
    },
  "Sign in to Staffology as this user, and open the settings of the account: those of the user, not those of an employer.":
    {
      de: "Melden Sie sich bei Staffology als dieser Benutzer an und öffnen Sie die Einstellungen des Kontos: die des Benutzers, nicht die eines Arbeitgebers.",
      es: "Inicie sesión en Staffology con ese usuario y abra los ajustes de la cuenta: los del usuario, no los de un empleador.",
      fr: "Connectez-vous à Staffology avec cet utilisateur et ouvrez les paramètres du compte : ceux de l’utilisateur, pas ceux d’un employeur.",
    },
  "Make a new API key there, with a name that you will know again.": {
    de: "Erstellen Sie dort einen neuen API-Schlüssel mit einem Namen, den Sie wiedererkennen.",
    es: "Cree allí una clave API nueva, con un nombre que vaya a reconocer.",
    fr: "Créez-y une nouvelle clé API, avec un nom que vous reconnaîtrez.",
  },
  "Copy the key and paste it here.": {
    de: "Kopieren Sie den Schlüssel und fügen Sie ihn hier ein.",
    es: "Copie la clave y péguela aquí.",
    fr: "Copiez la clé et collez-la ici.",
  },
  "If the key reaches several employers, as that of a payroll bureau does, you are asked next which one to connect. The others are not read.":
    {
      de: "Erreicht der Schlüssel mehrere Arbeitgeber, etwa der eines Lohnbüros, werden Sie danach gefragt, welcher verbunden werden soll. Die anderen werden nicht gelesen.",
      es: "Si la clave da acceso a varios empleadores, como la de una gestoría, se le preguntará después cuál quiere conectar. Los demás no se leen.",
      fr: "Si la clé donne accès à plusieurs employeurs, comme celle d’un cabinet de paie, il vous est ensuite demandé lequel connecter. Les autres ne sont pas lus.",
    },
  "The key has the role of its user at the employer. If a right is missing, the rest can still be read.":
    {
      de: "Der Schlüssel hat die Rolle, die sein Benutzer beim Arbeitgeber hat. Fehlt ein Recht, kann der Rest trotzdem gelesen werden.",
      es: "La clave tiene el rol de su usuario en el empleador. Si falta un permiso, lo demás se puede leer igualmente.",
      fr: "La clé a le rôle de son utilisateur chez l’employeur. S’il manque un droit, le reste peut tout de même être lu.",
    },
  "People and time off: see all employees of the employer. If the role may not see one of them, people are not read at all.":
    {
      de: "Personen und Abwesenheiten: alle Beschäftigten des Arbeitgebers sehen. Darf die Rolle eine Person nicht sehen, werden gar keine Personen gelesen.",
      es: "Personas y ausencias: ver a todos los empleados del empleador. Si el rol no puede ver a alguno, no se lee a ninguno.",
      fr: "Personnes et absences : voir tous les salariés de l’employeur. Si le rôle ne permet pas d’en voir un, aucun n’est lu.",
    },
  "Pay runs and payslips: see pay schedules and pay runs.": {
    de: "Lohnläufe und Lohnabrechnungen: Abrechnungspläne und Lohnläufe sehen.",
    es: "Nóminas y recibos de nómina: ver los calendarios y los procesos de nómina.",
    fr: "Paies et bulletins de paie : voir les calendriers et les cycles de paie.",
  },
  "Departments: see departments and cost centres.": {
    de: "Abteilungen: Abteilungen und Kostenstellen sehen.",
    es: "Departamentos: ver departamentos y centros de coste.",
    fr: "Services : voir les services et les centres de coûts.",
  },
  "Delete the key in the settings of the account. It stays in Staffology until you do, also when the access has been ended here.":
    {
      de: "Löschen Sie den Schlüssel in den Einstellungen des Kontos. Bis dahin bleibt er in Staffology bestehen, auch wenn der Zugriff hier beendet wurde.",
      es: "Elimine la clave en los ajustes de la cuenta. Hasta entonces sigue en Staffology, aunque el acceso se haya finalizado aquí.",
      fr: "Supprimez la clé dans les paramètres du compte. Elle reste dans Staffology jusque-là, même si l’accès a été supprimé ici.",
    },
};
