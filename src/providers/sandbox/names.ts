import { pick } from "./draw.ts";

const firstNames = {
  female: [
    "Adaeze",
    "Beatrix",
    "Camille",
    "Dilnoza",
    "Élodie",
    "Freja",
    "Guadalupe",
    "Hyewon",
    "Ilse",
    "Jadwiga",
    "Kiều",
    "Leilani",
    "Małgorzata",
    "Niamh",
    "Ottilie",
    "Pooja",
    "Răzvana",
    "Saoirse",
    "Þórdís",
    "Zainab",
  ],
  male: [
    "Anselm",
    "Bartłomiej",
    "Cúán",
    "Đức",
    "Emre",
    "Florian",
    "Gábor",
    "Haruki",
    "Iñaki",
    "Joaquín",
    "Kofi",
    "Lennart",
    "Mateus",
    "Nikolaj",
    "Ørjan",
    "Pavel",
    "Ruairí",
    "Şahin",
    "Tendai",
    "Yusuf",
  ],
  not_specified: ["Alexis", "Charlie", "Kim", "Noor", "Robin", "Sasha", "Tal", "Xóchitl"],
} as const;

const lastNames = [
  "Abernethy",
  "Bäumler",
  "Castañeda",
  "Dąbrowska",
  "Ekström",
  "Fitzwarren",
  "Gonçalves",
  "Håkonsen",
  "Ivanova",
  "Jørgensen",
  "Kovács",
  "Lindqvist",
  "Müllerová",
  "Nakagawa",
  "Oyelaran",
  "Pétursson",
  "Quispe",
  "Rātana",
  "Șerban",
  "Tănase",
  "Uzun",
  "Väisänen",
  "Wójcik",
  "Xavier",
  "Yılmazer",
  "Žižková",
  "Achterberg",
  "Bhattacharjee",
  "Çelikkol",
  "Đorđević",
  "Eze",
  "Fernández",
  "Grünewald",
  "Hernández",
  "Ilić",
  "Järvelä",
  "Kaszás",
] as const;

const relatives = [
  "Alex",
  "Bo",
  "Dana",
  "Éva",
  "Jonas",
  "Lærke",
  "Marta",
  "Nuño",
  "Oğuz",
  "Sanne",
  "Tilda",
  "Vico",
] as const;

/** The Latin letters that Unicode does not decompose. */
const plainLetters: Record<string, string> = {
  æ: "ae",
  ð: "d",
  đ: "d",
  ø: "o",
  ł: "l",
  ß: "ss",
  þ: "th",
  ı: "i",
};

export function firstNameOf(gender: keyof typeof firstNames, number: number): string {
  return pick<string>(firstNames[gender], "first name", number);
}

export function lastNameOf(number: number): string {
  return pick(lastNames, "last name", number);
}

/** The first name of a relative, such as a child. */
export function relativeOf(number: number, which: string): string {
  return pick(relatives, "relative", number, which);
}

/** The last name after a wedding. */
export function marriedNameOf(number: number, lastName: string): string {
  return [lastName, pick(lastNames, "married name", number)].filter(Boolean).join("-");
}

/** Empty when the names have no Latin letters. */
export function mailboxOf(...names: string[]): string {
  return names.map(toPlainLetters).filter(Boolean).join(".");
}

function toPlainLetters(name: string): string {
  const letters = name
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[æðđøłßþı]/g, (letter) => plainLetters[letter] ?? "");
  return letters.replaceAll(/[^a-z]+/g, "-").replaceAll(/^-|-$/g, "");
}
