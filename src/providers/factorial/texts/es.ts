export const es = {
  "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.":
    "Los administradores la crean en Factorial. Da acceso a todo lo de la empresa y nunca caduca por sí sola.",
  "This is another company than the one that is connected. Please use the same one as before.":
    "Esta no es la empresa conectada. Utilice la misma que antes.",
  "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.":
    "Este acceso solo muestra lo que puede ver una persona. Inicie sesión en Factorial como administrador y apruébelo para la empresa.",
};
