export const de = {
  "Which organisation do you want to connect?": "Welche Organisation möchten Sie verbinden?",
  "No organisation was approved. Please continue to Xero again and choose the one to connect.":
    "Es wurde keine Organisation freigegeben. Bitte gehen Sie noch einmal zu Xero und wählen Sie die aus, die verbunden werden soll.",
  "This is another organisation than the one that is connected. Please approve the same one at Xero.":
    "Dies ist eine andere Organisation als die verbundene. Bitte geben Sie bei Xero dieselbe frei.",
  "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.":
    "Sie dürfen die Lohnabrechnung dieser Organisation nicht lesen. Bitte geben Sie sie als Benutzer mit der Rolle des Lohn-Administrators frei.",
};
