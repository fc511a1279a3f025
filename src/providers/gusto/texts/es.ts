export const es = {
  "No company was approved. Please continue to Gusto again and choose the one to connect.":
    "No se ha autorizado ninguna empresa. Vuelva a Gusto y elija la que quiere conectar.",
  "This is another company than the one that is connected. Please choose the same one at Gusto.":
    "Esta no es la empresa conectada. Elija la misma en Gusto.",
  "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.":
    "No se puede leer nada de esta empresa. Apruebe el acceso como su administrador principal, o como uno con acceso completo.",
};
