export const pl = {
  "An administrator makes it in Factorial. It opens everything in the company, and never ends by itself.":
    "Tworzy go administrator w systemie Factorial. Daje dostęp do wszystkich danych firmy i nigdy sam nie wygasa.",
  "This is another company than the one that is connected. Please use the same one as before.":
    "To inna firma niż ta, która jest połączona. Proszę użyć tej samej co poprzednio.",
  "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.":
    "Ten dostęp pokazuje tylko to, co może widzieć jedna osoba. Proszę zalogować się do systemu Factorial jako administrator i zatwierdzić dostęp dla firmy.",
};
