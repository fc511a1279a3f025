export const fr = {
  "No company was approved. Please continue to Gusto again and choose the one to connect.":
    "Aucune entreprise n’a été autorisée. Retournez sur Gusto et choisissez celle à connecter.",
  "This is another company than the one that is connected. Please choose the same one at Gusto.":
    "Cette entreprise n’est pas celle qui est connectée. Choisissez la même sur Gusto.",
  "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.":
    "Rien de cette entreprise ne peut être lu. Approuvez l’accès en tant qu’administrateur principal, ou avec un accès complet.",
};
