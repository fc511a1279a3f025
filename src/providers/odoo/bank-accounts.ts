import { flag } from "../kit/readers.ts";
import type { Parts } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import { text } from "./values.ts";

type BankAccount = NonNullable<SourceRecord<"employees">["bank_account"]>;

export const bankAccount = {
  active: flag,
  acc_number: text,
  acc_holder_name: text,
  bank_name: text,
  bank_bic: text,
};

export function toBankAccount(account: Parts<typeof bankAccount> | null): BankAccount | null {
  if (!account) return null;
  return {
    account_number: account.acc_number,
    bank_name: account.bank_name,
    bic: account.bank_bic,
    holder_name: account.acc_holder_name,
    iban: toIban(account.acc_number),
  };
}

/** By format and check digits: Odoo marks IBANs only where its accounting module is installed. */
function toIban(number: string | null): string | null {
  const iban = number?.replaceAll(/[\s-]/g, "").toUpperCase() ?? "";
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return null;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)]
    .map((character) => Number.parseInt(character, 36))
    .join("");
  return BigInt(digits) % 97n === 1n ? iban : null;
}
