import { text, unreadable, type Reader } from "./readers.ts";
import { isTimeZone } from "./zone.ts";

/** A text with an @. Systems take any text for an address: one that is none, such as a login, is left out. */
export const email: Reader<string> = {
  kind: "email",
  read: (value) => {
    const read = text.read(value);
    return typeof read === "string" && read.includes("@") ? read : null;
  },
};

/** The name of a time zone, as the IANA writes it. */
export const timeZone: Reader<string> = {
  kind: "time zone",
  read: (value) => (isTimeZone(String(value)) ? String(value) : unreadable),
};

/** An IBAN as it is compared and paid to: people type it in groups of four, or paste it with spaces that do not break. */
export function stripIban(typed: string | null): string | null {
  return typed?.replaceAll(/[\s-]/g, "") ?? null;
}
