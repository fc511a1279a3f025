export const pl = {
  "Which organisation do you want to connect?": "Którą organizację połączyć?",
  "No organisation was approved. Please continue to Xero again and choose the one to connect.":
    "Nie zatwierdzono żadnej organizacji. Proszę ponownie przejść do systemu Xero i wybrać organizację, którą należy połączyć.",
  "This is another organisation than the one that is connected. Please approve the same one at Xero.":
    "To inna organizacja niż ta, która jest połączona. Proszę zatwierdzić w systemie Xero tę samą.",
  "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.":
    "Brak prawa do odczytu płac tej organizacji. Proszę zatwierdzić dostęp jako użytkownik z rolą administratora płac (payroll administrator).",
};
