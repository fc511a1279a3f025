import type { OdooRpc, Row } from "./odoo-rpc.ts";

/** What a live Odoo has, read record by record from its own RPC and written as the adapter has to. */
type Expected = Record<string, unknown>;
type Reference = [id: number, label: string] | false;

const orNull = (value: unknown): unknown => (value === false ? null : value);
const day = (value: unknown): string | null =>
  value === false ? null : String(value).slice(0, 10);
const time = (value: unknown): string => `${String(value).replace(" ", "T")}Z`;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const idOf = (value: unknown): number => (value ? (value as [number])[0] : 0);
const labelOf = (value: unknown): string | null => (value ? (value as [number, string])[1] : null);
const byId = (rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));
const rounded = (amount: unknown): number => Number(Number(amount).toFixed(6));
const stampsOf = (row: Row) => ({
  remote_created_at: day(row["create_date"]),
  remote_modified_at: day(row["write_date"]),
});
const wordsOf = (...lines: string[]): string[] => lines.join(" ").split(" ");
const addressFields = ["street", "street2", "city", "zip", "state_id", "country_id"];

export class OdooExpected {
  readonly #rpc: OdooRpc;
  constructor(rpc: OdooRpc) {
    this.#rpc = rpc;
  }

  async identity(uid: number): Promise<Expected> {
    const [user] = await this.#rpc.list(
      "res.users",
      ["name", "login", "email", "phone"],
      [["id", "=", uid]],
    );
    return {
      name: user!["name"],
      // A login that is no address is never one.
      email: user!["email"] || (String(user!["login"]).includes("@") ? user!["login"] : ""),
      phone_number: orNull(user!["phone"]),
    };
  }

  async company(): Promise<Expected[]> {
    const rows = await this.#rpc.list(
      "res.company",
      ["name", "vat", ...addressFields],
      [["id", "in", await this.#rpc.companyIds()]],
    );
    const addresses = await this.#addresses();
    return rows.map((row) => ({
      remote_id: String(row.id),
      legal_name: row["name"],
      display_name: row["name"],
      tax_id: orNull(row["vat"]),
      address: addresses(row),
    }));
  }

  async groups(): Promise<Expected[]> {
    const departments = await this.#rpc.list("hr.department", ["name"]);
    const tags = await this.#rpc.list("hr.employee.category", ["name"]);
    return [
      ...departments.map(({ id, name }) => ({
        remote_id: `department-${id}`,
        name,
        type: "department",
      })),
      ...tags.map(({ id, name }) => ({ remote_id: `category-${id}`, name, type: "team" })),
    ];
  }

  async workLocations(): Promise<Expected[]> {
    const rows = await this.#rpc.list(
      "hr.work.location",
      ["name", "location_type", "address_id"],
      [["company_id", "in", await this.#rpc.companyIds()]],
    );
    const addresses = await this.#addresses();
    const partners = byId(await this.#rpc.list("res.partner", addressFields));
    return rows.map((row) => ({
      remote_id: String(row.id),
      name: row["name"],
      type: row["location_type"],
      address: addresses(partners.get(idOf(row["address_id"]))),
    }));
  }

  async timeOffEntries(): Promise<Expected[]> {
    const rows = await this.#rpc.list(
      "hr.leave",
      wordsOf(
        "employee_id holiday_status_id state request_date_from request_date_to",
        "leave_type_request_unit number_of_days number_of_hours private_name create_date",
        "write_date",
      ),
      [["state", "!=", "cancel"]],
    );
    const types = await this.#policyTypes();
    const statuses: Record<string, string> = {
      confirm: "pending",
      validate1: "pending",
      validate: "approved",
      refuse: "rejected",
    };
    return rows.map((row) => {
      const isHourly = row["leave_type_request_unit"] === "hour";
      return {
        remote_id: String(row.id),
        employee_remote_id: String(idOf(row["employee_id"])),
        start_date: row["request_date_from"],
        end_date: row["request_date_to"],
        amount: rounded(row[isHourly ? "number_of_hours" : "number_of_days"]),
        unit: isHourly ? "hours" : "days",
        status: statuses[String(row["state"])],
        employee_note: orNull(row["private_name"]),
        ...policyOf(row["holiday_status_id"], types),
        ...stampsOf(row),
      };
    });
  }

  /** Person by person, as Odoo itself shows balances. Without the days of the allocations. */
  async balances(): Promise<Expected[]> {
    const types = await this.#policyTypes();
    const allocations = await this.#rpc.list("hr.leave.allocation", ["employee_id"]);
    const people = new Set(allocations.map((row) => idOf(row["employee_id"])));
    const found: Expected[] = [];
    for (const id of people) {
      const rows = await this.#rpc.call<Row[]>("hr.leave.type", "search_read", [], {
        domain: [["requires_allocation", "=", true]],
        fields: ["name", "max_leaves", "leaves_taken", "virtual_remaining_leaves", "request_unit"],
        context: { active_test: false, employee_id: id },
      });
      for (const row of rows.filter((each) => each["max_leaves"] !== 0))
        found.push({
          employee_remote_id: String(id),
          balance: rounded(row["virtual_remaining_leaves"]),
          used: rounded(row["leaves_taken"]),
          unit: row["request_unit"] === "hour" ? "hours" : "days",
          ...policyOf([row.id, String(row["name"])], types),
        });
    }
    return found;
  }

  async attendances(): Promise<Expected[]> {
    const rows = await this.#rpc.list(
      "hr.attendance",
      wordsOf("employee_id check_in check_out worked_hours create_date write_date"),
    );
    return rows
      .filter((row) => row["check_out"] !== false)
      .map((row) => ({
        remote_id: `attendance-${row.id}`,
        employee_remote_id: String(idOf(row["employee_id"])),
        start_time: time(row["check_in"]),
        end_time: time(row["check_out"]),
        hours_worked: rounded(row["worked_hours"]),
        ...stampsOf(row),
      }));
  }

  /** The demo company writes in hours. */
  async projectLines(): Promise<Expected[]> {
    const rows = await this.#rpc.list("account.analytic.line", [
      "employee_id",
      "date",
      "unit_amount",
      "project_id",
      "holiday_id",
      "global_leave_id",
      "create_date",
      "write_date",
    ]);
    return rows
      .filter(
        (row) =>
          row["project_id"] && !row["holiday_id"] && !row["global_leave_id"] && row["employee_id"],
      )
      .map((row) => ({
        remote_id: `line-${row.id}`,
        employee_remote_id: String(idOf(row["employee_id"])),
        start_time: `${String(row["date"])}T00:00:00Z`,
        end_time: null,
        hours_worked: rounded(row["unit_amount"]),
        ...stampsOf(row),
      }));
  }

  /** As an account has them that may read no dates and no pay of contracts, when they are hidden. */
  async employees({ areContractsHidden = false } = {}): Promise<Expected[]> {
    const fields = wordsOf(
      "active name barcode identification_id ssnid birthday sex marital create_date",
      "work_email private_email emergency_contact emergency_phone mobile_phone",
      "private_phone phone work_phone job_id job_title employee_type departure_date",
      "department_id country_id category_ids parent_id work_location_id address_id",
      "private_street private_street2 private_city private_zip private_state_id",
      "private_country_id bank_account_ids primary_bank_account_id company_id",
    );
    const rows = await this.#rpc.list("hr.employee", fields);
    const people = byId(rows);
    const countries = byId(await this.#rpc.list("res.country", ["code"]));
    const departments = byId(await this.#rpc.list("hr.department", ["name", "parent_id"]));
    const tags = byId(await this.#rpc.list("hr.employee.category", ["name"]));
    const banks = byId(
      await this.#rpc.list("res.partner.bank", [
        "acc_number",
        "acc_holder_name",
        "bank_name",
        "bank_bic",
      ]),
    );
    const locations = new Map(
      (await this.workLocations()).map((place) => [place["remote_id"], place]),
    );
    const addresses = await this.#addresses();
    const partners = byId(await this.#rpc.list("res.partner", addressFields));
    const jobs = await this.#jobs();
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Brussels" }).format(
      new Date(),
    );
    const absent = await this.#absent(today);
    const isCompanyTold = (await this.#rpc.companyIds()).length > 1;
    return rows.map((row) => {
      const own = jobs.get(row.id) ?? [];
      const current = own.findLast(({ from }) => from <= today) ?? own[0];
      const spans = own.filter(({ start }) => start !== null);
      const ends = spans.map(({ end }) => end);
      const last = ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null);
      const isLeft =
        row["active"] === false ||
        (row["departure_date"] !== false && String(row["departure_date"]) < today);
      const isEmployed =
        spans.length === 0 ||
        spans.some(({ start, end }) => String(start) <= today && (end === null || end >= today));
      const isFuture = spans.some(({ start }) => String(start) > today);
      const { first, start } = startsOf(spans, today);
      const manager = people.get(idOf(row["parent_id"]));
      const bank = banks.get(
        idOf(row["primary_bank_account_id"]) || (row["bank_account_ids"] as number[])[0] || 0,
      );
      const path: Row[] = [];
      for (
        let id = idOf(row["department_id"]);
        departments.has(id);
        id = idOf(departments.get(id)!["parent_id"])
      )
        path.push(departments.get(id)!);
      return {
        remote_id: String(row.id),
        employee_number: orNull(row["barcode"] || row["identification_id"]),
        ...namesOf(String(row["name"])),
        display_full_name: row["name"],
        nationality: countries.get(idOf(row["country_id"]))?.["code"] ?? null,
        work_email: orNull(row["work_email"]),
        personal_email: orNull(row["private_email"]),
        mobile_phone_number: orNull(
          row["mobile_phone"] || row["private_phone"] || row["phone"] || row["work_phone"],
        ),
        tax_id: orNull(row["ssnid"]),
        gender: orNull(row["sex"]),
        marital_status: toMarital(row["marital"]),
        date_of_birth: day(row["birthday"]),
        job_title: row["job_title"] || labelOf(row["job_id"]),
        employment_status: isLeft
          ? "inactive"
          : !isEmployed
            ? isFuture
              ? "pending"
              : "inactive"
            : absent.has(row.id)
              ? "leave"
              : "active",
        employment_type: current?.type ?? toType(false, row["employee_type"]),
        start_date: start,
        termination_date:
          day(row["departure_date"]) ?? (last !== null && last < today ? last : null),
        remote_created_at: day(row["create_date"]),
        home_location: addresses({
          id: 0,
          ...Object.fromEntries(addressFields.map((field) => [field, row[`private_${field}`]])),
        }),
        work_location:
          locations.get(String(idOf(row["work_location_id"]))) ??
          atAddress(addresses(partners.get(idOf(row["address_id"])))),
        manager: manager
          ? {
              remote_id: String(manager.id),
              ...namesOf(String(manager["name"])),
              work_email: orNull(manager["work_email"]),
            }
          : null,
        bank_account: bank
          ? {
              account_number: bank["acc_number"],
              bank_name: orNull(bank["bank_name"]),
              bic: orNull(bank["bank_bic"]),
              holder_name: orNull(bank["acc_holder_name"]),
              iban: null,
            }
          : null,
        employments: own.map(({ employment }) => employment),
        groups: [
          ...path.map(({ id, name }) => ({
            remote_id: `department-${id}`,
            name,
            type: "department",
          })),
          ...(row["category_ids"] as number[]).map((id) => ({
            remote_id: `category-${id}`,
            name: tags.get(id)?.["name"],
            type: "team",
          })),
        ],
        emergency_contacts:
          row["emergency_contact"] || row["emergency_phone"]
            ? [
                {
                  ...namesOf(textOf(row["emergency_contact"])),
                  relationship: null,
                  mobile_phone_number: orNull(row["emergency_phone"]),
                  primary_contact: true,
                },
              ]
            : [],
        custom_fields: orNothing({
          ...(isCompanyTold && { company: toCompany(row["company_id"]) }),
          ...(first !== start && !areContractsHidden && { original_start_date: first }),
        }),
        ...(areContractsHidden && {
          employments: null,
          employment_type: null,
          start_date: null,
          termination_date: day(row["departure_date"]),
          employment_status: isLeft ? "inactive" : null,
        }),
      };
    });
  }

  async #jobs() {
    const codes = byId(await this.#rpc.list("hr.contract.type", ["code"]));
    const departments = byId(await this.#rpc.list("hr.department", ["name"]));
    const versions = await this.#rpc.list(
      "hr.version",
      wordsOf(
        "employee_id active date_version contract_date_start contract_date_end wage",
        "currency_id contract_type_id department_id job_title job_id employee_type",
      ),
      [
        ["active", "=", true],
        ["employee_id", "!=", false],
      ],
    );
    const jobs = versions
      .filter((row) => row["contract_date_start"] !== false || row["wage"] !== 0)
      .map((row) => {
        const type = toType(
          codes.get(idOf(row["contract_type_id"]))?.["code"],
          row["employee_type"],
        );
        const department = departments.get(idOf(row["department_id"]));
        return {
          employee: idOf(row["employee_id"]),
          from: String(row["date_version"]),
          start: day(row["contract_date_start"]),
          end: day(row["contract_date_end"]),
          type,
          employment: {
            job_title: row["job_title"] || labelOf(row["job_id"]),
            effective_date: row["date_version"],
            employment_type: type,
            pay_rate: row["wage"],
            pay_period: "MONTH",
            pay_frequency: null,
            currency: labelOf(row["currency_id"])?.toLowerCase() ?? null,
            group_remote_id: department ? `department-${department.id}` : null,
            group_name: department?.["name"] ?? null,
          },
        };
      });
    const inOrder = (list: typeof jobs) =>
      list.toSorted((one, other) => (one.from < other.from ? -1 : 1));
    return new Map(
      [...Map.groupBy(jobs, ({ employee }) => employee)].map(([id, list]) => [id, inOrder(list)]),
    );
  }

  async #absent(today: string): Promise<Set<number>> {
    const rows = await this.#rpc.list(
      "hr.leave",
      ["employee_id", "number_of_days"],
      [
        ["state", "=", "validate"],
        ["request_date_from", "<=", today],
        ["request_date_to", ">=", today],
      ],
    );
    return new Set(
      rows
        .filter((row) => Number(row["number_of_days"]) >= 1)
        .map((row) => idOf(row["employee_id"])),
    );
  }

  async #policyTypes(): Promise<Map<number, string>> {
    const rows = await this.#rpc.list(
      "ir.model.data",
      ["name", "res_id"],
      [["model", "=", "hr.leave.type"]],
    );
    const known: Record<string, string> = {
      leave_type_paid_time_off: "vacation",
      leave_type_sick_time_off: "sick",
    };
    return new Map(
      rows.flatMap((row) =>
        known[String(row["name"])]
          ? [[Number(row["res_id"]), known[String(row["name"])]!] as const]
          : [],
      ),
    );
  }

  async #addresses() {
    const states = byId(await this.#rpc.list("res.country.state", ["code", "name"]));
    const countries = byId(await this.#rpc.list("res.country", ["code"]));
    return (row: Row | undefined): Expected | null => {
      const country = countries.get(idOf(row?.["country_id"]))?.["code"] ?? null;
      const state = states.get(idOf(row?.["state_id"]));
      const address = {
        street_address: [row?.["street"], row?.["street2"]].filter(Boolean).join(", ") || null,
        locality: row?.["city"] || null,
        administrative_area:
          state?.[country === "US" || country === "CA" ? "code" : "name"] ?? null,
        country,
        post_code: row?.["zip"] || null,
      };
      return Object.values(address).every((part) => part === null) ? null : address;
    };
  }
}

/** The first day of all, and that of the contracts with at most two days between them up to the one of today. */
function startsOf(
  spans: readonly { start: string | null; end: string | null }[],
  today: string,
): { first: string | null; start: string | null } {
  const known = spans.map(({ start, end }) => [start ?? "", end ?? "9999-12-31"] as const);
  const inOrder = known.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const first = inOrder[0]?.[0] ?? null;
  let [start, end] = inOrder[0] ?? [null, ""];
  for (const [from, to] of inOrder) {
    const days = (Date.parse(from) - Date.parse(end)) / 86_400_000;
    if (days > 3 && end < today) [start, end] = [from, to];
    else if (to > end && days <= 3) end = to;
  }
  return { first, start };
}

function orNothing(fields: Expected): Expected | null {
  return Object.keys(fields).length > 0 ? fields : null;
}

/** Where somebody works who has no location. */
function atAddress(address: Expected | null): Expected | null {
  return address && { remote_id: null, name: null, type: null, address };
}

function toCompany(reference: unknown): Expected {
  return { remote_id: String(idOf(reference)), name: labelOf(reference) };
}

function namesOf(name: string): { first_name: string; last_name: string } {
  const words = name.split(" ");
  const last_name = words.length > 1 ? words.pop()! : "";
  return { first_name: words.join(" "), last_name };
}

function toMarital(marital: unknown): unknown {
  if (marital === false) return null;
  return ["single", "married", "divorced"].includes(String(marital)) ? marital : "other";
}

function toType(code: unknown, employeeType: unknown): string | null {
  if (code === "Full-Time") return "full_time";
  if (code === "Part-Time") return "part_time";
  if (employeeType === "freelance" || employeeType === "contractor") return "contractor";
  return ["employee", "worker", false].includes(employeeType as string) ? null : "other";
}

function policyOf(type: unknown, types: ReadonlyMap<number, string>): Expected {
  const [id, name] = type as Exclude<Reference, false>;
  return { policy_remote_id: String(id), policy_name: name, policy_type: types.get(id) ?? null };
}
