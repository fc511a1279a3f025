export const fr = {
  "Which organisation do you want to connect?": "Quelle organisation souhaitez-vous connecter ?",
  "No organisation was approved. Please continue to Xero again and choose the one to connect.":
    "Aucune organisation n’a été autorisée. Retournez sur Xero et choisissez celle à connecter.",
  "This is another organisation than the one that is connected. Please approve the same one at Xero.":
    "Cette organisation n’est pas celle qui est connectée. Autorisez la même sur Xero.",
  "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.":
    "Vous ne pouvez pas lire la paie de cette organisation. Autorisez-la en tant qu’utilisateur ayant le rôle d’administrateur de paie.",
};
