import type { MapContext } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { toHomeAddress } from "./address.ts";
import { toEmploymentStatus } from "./employment-status.ts";
import { toEmployments, toEmploymentType } from "./employments.ts";
import { toDate, toRecord, toRecords, toText, translate, type XeroRecord } from "./field-values.ts";
import { toGroup } from "./groups.ts";

export interface RawEmployee {
  record: XeroRecord;
  salaries: readonly XeroRecord[];
  paymentMethod: XeroRecord | null;
  /** Of the person's pay. */
  calendar: XeroRecord | null;
}

const genders = { M: "male", F: "female" } as const;

export function toEmployee(
  { record, salaries, paymentMethod, calendar }: RawEmployee,
  { today }: Pick<MapContext, "today">,
): SourceRecord<"employees"> {
  return {
    remote_id: toText(record, "employeeID") ?? "",
    first_name: toText(record, "firstName"),
    last_name: toText(record, "lastName") ?? "",
    work_email: toText(record, "email"),
    mobile_phone_number: toText(record, "phoneNumber"),
    tax_id: toText(record, "nationalInsuranceNumber"),
    gender: translate(record, "gender", genders),
    date_of_birth: toDate(record, "dateOfBirth"),
    employment_status: toEmploymentStatus(record, today),
    employment_type: toEmploymentType(record, today),
    start_date: toDate(record, "startDate"),
    termination_date: toDate(record, "endDate"),
    remote_created_at: toDate(record, "createdDateUTC"),
    home_location: toHomeAddress(toRecord(record["address"])),
    bank_account: toBankAccount(paymentMethod),
    employments: toEmployments(record, salaries, calendar),
    groups: calendar ? [toGroup(calendar)] : [],
  };
}

/** Who is paid by cheque or by hand has none. */
function toBankAccount(
  paymentMethod: XeroRecord | null,
): SourceRecord<"employees">["bank_account"] {
  const [account] = toRecords(paymentMethod?.["bankAccounts"]);
  if (!account || toText(paymentMethod, "paymentMethod") !== "Electronically") return null;
  return {
    account_number: toText(account, "accountNumber"),
    sort_code: toText(account, "sortCode"),
    holder_name: toText(account, "accountName"),
  };
}
