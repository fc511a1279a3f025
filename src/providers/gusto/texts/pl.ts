export const pl = {
  "No company was approved. Please continue to Gusto again and choose the one to connect.":
    "Nie zatwierdzono żadnej firmy. Proszę ponownie przejść do systemu Gusto i wybrać firmę, którą należy połączyć.",
  "This is another company than the one that is connected. Please choose the same one at Gusto.":
    "To inna firma niż ta, która jest połączona. Proszę wybrać w systemie Gusto tę samą.",
  "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.":
    "Z tej firmy nie można nic odczytać. Proszę zatwierdzić dostęp jako jej główny administrator lub administrator z pełnym dostępem.",
};
