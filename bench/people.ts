import type { SourceRecord } from "../src/providers/source-records.ts";

/** A made-up employee of about 1.4 KB of JSON, the same for the same number. */
export function makeEmployee(number: number, title = "Warehouse Lead"): SourceRecord<"employees"> {
  const name = `Person${number}`;
  return {
    remote_id: `emp_${String(number).padStart(7, "0")}`,
    employee_number: `N-${number}`,
    first_name: name,
    last_name: "Example",
    nationality: "GB",
    job_title: title,
    work_email: `${name.toLowerCase()}@larkfield.example`,
    mobile_phone_number: "+44 7700 900042",
    tax_id: `QQ${String(number).padStart(6, "0")}C`,
    gender: "not_specified",
    date_of_birth: "1990-07-08",
    employment_status: number % 10 === 0 ? "inactive" : "active",
    employment_type: "full_time",
    start_date: "2021-04-01",
    home_location: {
      street_address: `${number} St Cuthbert's Row`,
      locality: "Brighton",
      country: "GB",
      post_code: "BN1 0AA",
    },
    work_location: {
      remote_id: "loc_2",
      name: "London",
      type: "warehouse",
      address: { locality: "London", country: "GB" },
    },
    manager: { remote_id: "emp_0000001", first_name: "Emeka", last_name: "Adeyemi" },
    bank_account: {
      account_number: String(number).padStart(8, "0"),
      holder_name: `${name} Example`,
    },
    employments: [
      {
        job_title: title,
        effective_date: "2024-04-01",
        employment_type: "full_time",
        pay_rate: 30_000 + number,
        pay_period: "YEAR",
        pay_frequency: "monthly",
        currency: "gbp",
        group_remote_id: "dep_40",
      },
    ],
    groups: [{ remote_id: "dep_40", name: "Operations", type: "department" }],
  };
}
