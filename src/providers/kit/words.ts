import { country, nationality, readValue, wordIn, type Reader } from "./readers.ts";

/** The words of names of leave. "Annual" says how often, and what else is named says what for. */
export const leaveWords = {
  vacation: "vacation",
  holiday: "vacation",
  sick: "sick",
  bereavement: "bereavement",
  compassionate: "bereavement",
  jury: "jury_duty",
  volunteer: "volunteer",
  personal: "personal",
  annual: "vacation",
} as const;

/** By the words of a name of leave: the policies are the customer's. */
export const policyType = wordIn(leaveWords);

/**
 * By the words of the United States' forms. In this order: "two or more" can name others. Some groups are named to say
 * that they are not meant.
 */
export const ethnicity = wordIn(
  {
    "two or more": "mixed",
    white: "white",
    caucasian: "white",
    black: "black",
    asian: "asian",
    "not hispanic": "other",
    "non hispanic": "other",
    hispanic: "hispanic",
  },
  { otherwise: "other" },
);

/** The code of ISO 3166, by the code itself or the name of a country; null for other words, such as "Canadian". */
export const nationalityInWords: Reader<string> = {
  kind: "nationality, by a code or the name of a country",
  read: (value) => {
    const read = [nationality, country].map((reader) => readValue<string>(reader, value));
    return read.find((code) => typeof code === "string") ?? null;
  },
};

/** Of a name that is one text: the last word is the last name, a single word is the first name. */
export function splitName(name: string | null): { first_name: string; last_name: string } {
  const words = name?.split(/\s+/) ?? [];
  const lastName = words.length > 1 ? (words.pop() ?? "") : "";
  return { first_name: words.join(" "), last_name: lastName };
}
