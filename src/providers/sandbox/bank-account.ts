import type { Employee } from "../../model/index.ts";
import { countries } from "./countries.ts";
import { drawBelow } from "./draw.ts";
import { displayNameOf, type Person } from "./person.ts";

export function bankAccountOf(person: Person): NonNullable<Employee["bank_account"]> {
  const { bank } = countries[person.home];
  const account = String(drawBelow(100_000_000, "bank account", person.number)).padStart(8, "0");
  return {
    account_number: account,
    bank_name: bank.name,
    bic: bank.bic,
    holder_name: displayNameOf(person),
    iban: bank.toBban && ibanOf(person.home, bank.toBban(account)),
    sort_code: bank.sortCode ?? null,
  };
}

/** ISO 13616: with the check digits, the IBAN as a number (A is 10) leaves 1 when divided by 97. */
function ibanOf(country: string, bban: string): string {
  const checkDigits = 98 - remainderOf97(`${bban}${country}00`);
  return `${country}${String(checkDigits).padStart(2, "0")}${bban}`;
}

function remainderOf97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
