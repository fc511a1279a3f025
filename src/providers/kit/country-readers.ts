import { countries, locales } from "../../model/index.ts";
import { countryCodes } from "./country-codes.ts";
import { unreadable, type Reader } from "./reader.ts";
import { spell, wordOf } from "./word-readers.ts";

type Country = (typeof countries)[number];

/** Of ISO 3166, in the order of the model. */
const threeLetters =
  "blz can cri gtm mex pan slv usa arg bra chl col per aut bel che cyp cze deu dnk est esp fin fra gbr grc irl imn " +
  "isl ita lie ltu lux lva mkd nld nor pol prt rou rus swe svk bgd chn hkg idn isr ind jpn kor kaz mac mys phl pak " +
  "pse sau sgp tha tjk tkm tur twn vnm zaf aus nzl";
const codeOfThree: ReadonlyMap<string, Country> = new Map(
  threeLetters.split(" ").flatMap((three, index) => {
    const code = countries[index];
    return code ? [[three, code]] : [];
  }),
);
/** Names by which forms know a country, where its own name is another one. */
const otherNames: Readonly<Record<string, Country>> = {
  uk: "GB",
  greatbritain: "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  northernireland: "GB",
  republicofireland: "IE",
  unitedstatesofamerica: "US",
  czechrepublic: "CZ",
  holland: "NL",
  thenetherlands: "NL",
  korea: "KR",
  republicofkorea: "KR",
  southkorea: "KR",
  russianfederation: "RU",
  turkey: "TR",
  hongkong: "HK",
  macau: "MO",
  macao: "MO",
  palestine: "PS",
  macedonia: "MK",
};

let codeOfName: ReadonlyMap<string, Country> | undefined;

/** By the names of the languages of our pages. They are looked up when the first country is read, and not at the start. */
function findByName(word: string): Country | undefined {
  codeOfName ??= new Map(
    locales.flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: "region" });
      return countries.map((code) => [spell(names.of(code) ?? code), code] as const);
    }),
  );
  return codeOfName.get(word);
}

/** The two letters of a country that a reply can have, from its code of two or three letters or its name; else null. */
export const country: Reader<Country> = {
  kind: "country",
  read: (value) => {
    const told = wordOf(value);
    if (told === null) return unreadable;
    const word = spell(told);
    const code = countries.find((known) => known.toLowerCase() === word);
    return code ?? codeOfThree.get(word) ?? otherNames[word] ?? findByName(word) ?? null;
  },
};

/** The two letters of ISO 3166 of any country, in capitals; null for what is no such code. */
export const nationality: Reader<string> = {
  kind: "nationality",
  read: (value) => {
    const told = wordOf(value);
    if (told === null) return unreadable;
    const code = told.trim().toUpperCase();
    return countryCodes.has(code) ? code : null;
  },
};
