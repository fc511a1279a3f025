import type { RecipeTexts } from "../kit/texts.ts";

/** What the recipe says, in other languages. */
export const recipeTexts: RecipeTexts = {
  "What do I need in Xero?": {
    de: "Was brauche ich in Xero?",
    es: "¿Qué necesito en Xero?",
    fr: "De quoi ai-je besoin dans Xero ?",
  },
  "You need a user of the organisation with the role “Standard” or “Adviser” who is payroll administrator too. Whoever manages the users of your Xero can tell and change it.":
    {
      de: "Sie brauchen einen Benutzer der Organisation mit der Rolle „Standard“ oder „Adviser“, der auch Lohn-Administrator ist. Wer die Benutzer Ihres Xero verwaltet, kann das sehen und ändern.",
      es: "Necesita un usuario de la organización con el rol «Standard» o «Adviser» que sea además administrador de nóminas. Quien gestiona los usuarios de su Xero puede verlo y cambiarlo.",
      fr: "Il vous faut un utilisateur de l’organisation ayant le rôle « Standard » ou « Adviser » et qui est aussi administrateur de paie. La personne qui gère les utilisateurs de votre Xero peut le voir et le modifier.",
    },
  "Continue here. Sign in on Xero’s own page, as this user.": {
    de: "Fahren Sie hier fort. Melden Sie sich auf der Seite von Xero als dieser Benutzer an.",
    es: "Continúe aquí. Inicie sesión en la página de Xero con ese usuario.",
    fr: "Continuez ici. Connectez-vous sur la page de Xero avec cet utilisateur.",
  },
  "Choose the organisation whose payroll is to be read, and approve the access.": {
    de: "Wählen Sie die Organisation aus, deren Lohnabrechnung gelesen werden soll, und stimmen Sie dem Zugriff zu.",
    es: "Elija la organización cuyas nóminas se van a leer y apruebe el acceso.",
    fr: "Choisissez l’organisation dont la paie doit être lue et approuvez l’accès.",
  },
  "Example Ltd": { de: "Beispiel Ltd", es: "Ejemplo Ltd", fr: "Exemple Ltd" },
  "Xero leads you back here. If several organisations were approved, you are asked which one to connect. The others are not read.":
    {
      de: "Xero führt Sie hierher zurück. Wurden mehrere Organisationen freigegeben, werden Sie gefragt, welche verbunden werden soll. Die anderen werden nicht gelesen.",
      es: "Xero le trae de vuelta aquí. Si se autorizaron varias organizaciones, se le pregunta cuál quiere conectar. Las demás no se leen.",
      fr: "Xero vous ramène ici. Si plusieurs organisations ont été autorisées, il vous est demandé laquelle connecter. Les autres ne sont pas lues.",
    },
  "The access has the rights of the user who approves it. If one is missing, the rest can still be read.":
    {
      de: "Der Zugriff hat die Rechte des Benutzers, der ihm zustimmt. Fehlt eines, kann der Rest trotzdem gelesen werden.",
      es: "El acceso tiene los permisos del usuario que lo aprueba. Si falta alguno, lo demás se puede leer igualmente.",
      fr: "L’accès a les droits de l’utilisateur qui l’approuve. S’il en manque un, le reste peut tout de même être lu.",
    },
  "Payroll has to be set up in Xero, for an organisation in the United Kingdom, New Zealand or Australia. Of one in another country, only the company can be read.":
    {
      de: "Die Lohnabrechnung muss in Xero eingerichtet sein, für eine Organisation im Vereinigten Königreich, in Neuseeland oder in Australien. Von einer in einem anderen Land kann nur die Firma gelesen werden.",
      es: "Las nóminas deben estar configuradas en Xero, para una organización del Reino Unido, Nueva Zelanda o Australia. De una de otro país solo se puede leer la empresa.",
      fr: "La paie doit être configurée dans Xero, pour une organisation du Royaume-Uni, de Nouvelle-Zélande ou d’Australie. D’une organisation d’un autre pays, seule l’entreprise peut être lue.",
    },
  "Xero lists the apps that are connected to the organisation. Disconnect this one there, at any time.":
    {
      de: "Xero zeigt die Apps an, die mit der Organisation verbunden sind. Trennen Sie diese dort, wann immer Sie möchten.",
      es: "Xero muestra las aplicaciones conectadas a la organización. Desconecte esta allí cuando quiera.",
      fr: "Xero affiche les applications connectées à l’organisation. Déconnectez-y celle-ci à tout moment.",
    },
  "When the access is ended here, it ends in Xero by itself, unless another access reads the same organisation by your approval.":
    {
      de: "Wird der Zugriff hier beendet, endet er in Xero von selbst, außer wenn ein anderer Zugriff mit Ihrer Zustimmung dieselbe Organisation liest.",
      es: "Cuando el acceso se finaliza aquí, también termina en Xero, salvo que otro acceso lea la misma organización con su aprobación.",
      fr: "Quand l’accès est supprimé ici, il prend aussi fin dans Xero, sauf si un autre accès lit la même organisation avec votre approbation.",
    },
};
