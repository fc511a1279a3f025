export const es = {
  "Which organisation do you want to connect?": "¿Qué organización desea conectar?",
  "No organisation was approved. Please continue to Xero again and choose the one to connect.":
    "No se ha autorizado ninguna organización. Vuelva a Xero y elija la que quiere conectar.",
  "This is another organisation than the one that is connected. Please approve the same one at Xero.":
    "Esta no es la organización conectada. Autorice la misma en Xero.",
  "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.":
    "No puede consultar las nóminas de esta organización. Autorícela como usuario con el rol de administrador de nóminas.",
};
