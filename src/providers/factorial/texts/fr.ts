export const fr = {
  "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.":
    "Les administrateurs la créent dans Factorial. Elle ouvre tout ce qui est à l’entreprise et n’expire jamais d’elle-même.",
  "This is another company than the one that is connected. Please use the same one as before.":
    "Cette entreprise n’est pas celle qui est connectée. Utilisez la même que précédemment.",
  "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.":
    "Cet accès ne montre que ce qu’une personne peut voir. Connectez-vous à Factorial en tant qu’administrateur et approuvez-le pour l’entreprise.",
};
