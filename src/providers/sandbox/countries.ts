// The country of a person decides currency, phone number, tax id and bank. Every number is from a
// range reserved for fiction or cannot have been issued.
import type { Employee } from "../../model/index.ts";

export type CountryCode = "DE" | "GB" | "CA" | "US" | "SE";
export type Currency = "eur" | "gbp" | "cad" | "usd" | "sek";

export type Address = Employee["home_location"];

interface Country {
  currency: Currency;
  /** Pay in this currency against pay in euro. */
  payScale: number;
  towns: readonly Pick<Address, "locality" | "administrative_area" | "post_code">[];
  streets: readonly string[];
  mobileNumbers: { prefix: string; first: number; last: number; digits: number };
  taxId: (serial: string) => string;
  bank: {
    name: string;
    bic: string;
    sortCode?: string;
    /** Null where there are no IBANs. */
    toBban: ((account: string) => string) | null;
  };
}

export const countries: Readonly<Record<CountryCode, Country>> = {
  DE: {
    currency: "eur",
    payScale: 1,
    towns: [
      { locality: "Berlin", administrative_area: "Berlin", post_code: "10115" },
      { locality: "Potsdam", administrative_area: "Brandenburg", post_code: "14467" },
      { locality: "Görlitz", administrative_area: "Sachsen", post_code: "02826" },
    ],
    streets: ["Lerchenstraße", "Am Mühlenfließ", "Kastanienallee"],
    mobileNumbers: { prefix: "+49 171 39200", first: 0, last: 99, digits: 2 },
    taxId: (serial) => `00000${serial}`,
    bank: {
      name: "Musterbank Berlin",
      bic: "TESTDEB0XXX",
      toBban: (account) => `0000000000${account}`,
    },
  },
  GB: {
    currency: "gbp",
    payScale: 1,
    towns: [
      { locality: "London", administrative_area: "Greater London", post_code: "E1 0AA" },
      { locality: "St Albans", administrative_area: "Hertfordshire", post_code: "AL1 0AA" },
      { locality: "Brighton", administrative_area: "East Sussex", post_code: "BN1 0AA" },
    ],
    streets: ["Larkspur Lane", "St Cuthbert's Row", "Kingfisher Close"],
    mobileNumbers: { prefix: "+44 7700 900", first: 0, last: 999, digits: 3 },
    taxId: (serial) => `QQ${serial}C`,
    bank: {
      name: "Example & Sons Bank",
      bic: "TESTGB20XXX",
      sortCode: "000000",
      toBban: (account) => `TEST000000${account}`,
    },
  },
  CA: {
    currency: "cad",
    payScale: 1,
    towns: [
      { locality: "Toronto", administrative_area: "ON", post_code: "M5V 0A0" },
      { locality: "Montréal", administrative_area: "QC", post_code: "H2X 0A0" },
    ],
    streets: ["Heron Street", "Rue des Érables", "Maple Hollow Road"],
    mobileNumbers: { prefix: "+1 416-555-01", first: 0, last: 99, digits: 2 },
    taxId: (serial) => `000${serial}`,
    bank: { name: "Example Bank of the Lakes", bic: "TESTCAT0XXX", toBban: null },
  },
  US: {
    currency: "usd",
    payScale: 1,
    towns: [
      { locality: "Buffalo", administrative_area: "NY", post_code: "14201" },
      { locality: "Detroit", administrative_area: "MI", post_code: "48201" },
    ],
    streets: ["Juniper Avenue", "Old Mill Road"],
    mobileNumbers: { prefix: "+1 212-555-01", first: 0, last: 99, digits: 2 },
    taxId: (serial) => `000-${serial.slice(0, 2)}-${serial.slice(2)}`,
    bank: { name: "Example Savings and Trust", bic: "TESTUS30XXX", toBban: null },
  },
  SE: {
    currency: "sek",
    payScale: 10,
    towns: [{ locality: "Malmö", administrative_area: "Skåne län", post_code: "211 20" }],
    streets: ["Ängsvägen", "Lärkgatan"],
    mobileNumbers: { prefix: "+46 70 174 06 ", first: 5, last: 99, digits: 2 },
    taxId: (serial) => `000000-${serial.slice(2)}`,
    bank: {
      name: "Exempelbanken",
      bic: "TESTSES0XXX",
      toBban: (account) => `000000000000${account}`,
    },
  },
};
