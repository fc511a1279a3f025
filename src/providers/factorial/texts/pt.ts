export const pt = {
  "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.":
    "Um administrador cria-a em Factorial. Dá acesso a tudo o que é da empresa e nunca expira por si.",
  "This is another company than the one that is connected. Please use the same one as before.":
    "Esta empresa não é a que está ligada. Utilize a mesma que antes.",
  "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.":
    "Este acesso mostra apenas o que uma pessoa pode ver. Inicie sessão em Factorial como administrador e aprove-o para a empresa.",
};
