export const nl = {
  "Which organisation do you want to connect?": "Welke organisatie wilt u koppelen?",
  "No organisation was approved. Please continue to Xero again and choose the one to connect.":
    "Er is geen organisatie goedgekeurd. Ga opnieuw naar Xero en kies de organisatie die u wilt koppelen.",
  "This is another organisation than the one that is connected. Please approve the same one at Xero.":
    "Dit is een andere organisatie dan de gekoppelde. Keur bij Xero dezelfde organisatie goed.",
  "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.":
    "U mag de salarisadministratie van deze organisatie niet lezen. Geef goedkeuring als gebruiker met de rol van salarisbeheerder (payroll administrator).",
};
