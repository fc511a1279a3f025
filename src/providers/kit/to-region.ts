/** The two letters behind each name. */
const named: Readonly<Record<string, string>> = {
  US:
    "Alabama AL, Alaska AK, American Samoa AS, Arizona AZ, Arkansas AR, California CA, Colorado CO, " +
    "Connecticut CT, Delaware DE, District of Columbia DC, Washington DC DC, Florida FL, Georgia GA, Guam GU, " +
    "Hawaii HI, Idaho ID, Illinois IL, Indiana IN, Iowa IA, Kansas KS, Kentucky KY, Louisiana LA, Maine ME, " +
    "Maryland MD, Massachusetts MA, Michigan MI, Minnesota MN, Mississippi MS, Missouri MO, Montana MT, " +
    "Nebraska NE, Nevada NV, New Hampshire NH, New Jersey NJ, New Mexico NM, New York NY, North Carolina NC, " +
    "North Dakota ND, Northern Mariana Islands MP, Ohio OH, Oklahoma OK, Oregon OR, Pennsylvania PA, " +
    "Puerto Rico PR, Rhode Island RI, South Carolina SC, South Dakota SD, Tennessee TN, Texas TX, Utah UT, " +
    "Vermont VT, Virgin Islands VI, US Virgin Islands VI, Virginia VA, Washington WA, West Virginia WV, " +
    "Wisconsin WI, Wyoming WY",
  CA:
    "Alberta AB, British Columbia BC, Manitoba MB, New Brunswick NB, Newfoundland and Labrador NL, " +
    "Newfoundland NL, Nova Scotia NS, Northwest Territories NT, Nunavut NU, Ontario ON, Prince Edward Island PE, " +
    "Quebec QC, Saskatchewan SK, Yukon YT, Yukon Territory YT",
};

const spell = (name: string): string =>
  name
    .normalize("NFD")
    .replaceAll(/[^A-Za-z]/g, "")
    .toLowerCase();

const codeOf: ReadonlyMap<string, string> = new Map(
  Object.entries(named).flatMap(([country, list]) =>
    list.split(", ").map((one) => [`${country} ${spell(one.slice(0, -3))}`, one.slice(-2)]),
  ),
);

/** What the tables of fields say of it. */
export const regionNote = "of the United States and Canada two letters, else the name";

/**
 * What an address says of a region in this country: in the United States and Canada the two letters of a state or a
 * province, by these, as ISO 3166-2 writes them (US-CA) or by its name, else null; elsewhere what is written.
 */
export function toRegion(country: string | null, written: string | null): string | null {
  if (written === null || country === null || !Object.hasOwn(named, country)) return written;
  const isPrefixed = written.toUpperCase().startsWith(`${country}-`);
  const [short = ""] = (isPrefixed ? written.slice(country.length + 1) : written).split("(", 1);
  const letters = short.trim().replaceAll(".", "");
  if (/^[A-Za-z]{2}$/.test(letters)) return letters.toUpperCase();
  return codeOf.get(`${country} ${spell(short)}`) ?? null;
}
