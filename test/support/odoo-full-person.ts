import { OdooAdministrator } from "./odoo-administrator.ts";
import type { OdooRpc } from "./odoo-rpc.ts";

const company = 1;
const employee = "hr.employee";

/** A person of whom a live Odoo knows everything, and what takes it away again. */
export async function makeFullPerson(
  rpc: OdooRpc,
): Promise<{ id: number; remove(): Promise<void> }> {
  const administrator = new OdooAdministrator(rpc);
  const field = await addField(rpc);
  await defineProperties(rpc, [
    { name: "size", string: "T-shirt", type: "selection", selection: [["l", "Large"]] },
    { name: "since", string: "Badge since", type: "date" },
  ]);
  const country = await administrator.idOf("base.be");
  const id = await rpc.create(employee, {
    ...person,
    country_id: country,
    private_country_id: country,
    department_id: await administrator.idOf("hr.dep_rd"),
    parent_id: 1,
    category_ids: [[6, 0, [await administrator.idOf("hr.employee_category_2")]]],
    contract_type_id: await administrator.idOf("hr.contract_type_part_time"),
    x_badge: "B-7",
    employee_properties: { size: "l", since: "2026-01-15" },
  });
  const bank = await addBankAccount(rpc, id);
  const later = { date_version: "2026-01-01", job_title: "Lead planner", wage: 3600 };
  await rpc.call(employee, "create_version", [[id], later]);
  const remove = async (): Promise<void> => {
    await rpc.call(employee, "write", [[id], { bank_account_ids: [[5]] }]);
    const [account] = await rpc.list("res.partner.bank", ["bank_id"], [["id", "=", bank]]);
    await rpc.call("res.partner.bank", "unlink", [[bank]]);
    await rpc.call("res.bank", "unlink", [[(account!["bank_id"] as [number])[0]]]);
    await rpc.call(employee, "unlink", [[id]]);
    await defineProperties(rpc, []);
    await rpc.call("ir.model.fields", "unlink", [[field]]);
  };
  return { id, remove };
}

const person = {
  name: "Ada Zoë van den Éynde",
  barcode: "A0077",
  ssnid: "850730-033.28",
  birthday: "1985-07-30",
  sex: "other",
  marital: "widower",
  work_email: "ada@example.com",
  private_email: "ada@home.example.com",
  mobile_phone: "+32 470 00 00 77",
  private_street: "Kade 12",
  private_street2: "bus 3",
  private_city: "Gent",
  private_zip: "9000",
  emergency_contact: "Jan Peeters",
  emergency_phone: "+32 470 00 00 78",
  job_title: "Planner",
  employee_type: "employee",
  date_version: "2025-03-01",
  contract_date_start: "2025-03-01",
  wage: 3200.5,
};

/** A field that the company made, such as one of Studio. */
async function addField(rpc: OdooRpc): Promise<number> {
  const [model] = await rpc.list("ir.model", [], [["model", "=", employee]]);
  const values = { name: "x_badge", field_description: "Badge", ttype: "char" };
  return await rpc.create("ir.model.fields", { ...values, model_id: model!.id });
}

async function defineProperties(rpc: OdooRpc, properties: readonly object[]): Promise<void> {
  const values = { employee_properties_definition: properties };
  await rpc.call("res.company", "write", [[company], values]);
}

async function addBankAccount(rpc: OdooRpc, id: number): Promise<number> {
  const [row] = await rpc.list(employee, ["work_contact_id"], [["id", "=", id]]);
  const [partner_id] = row!["work_contact_id"] as [number];
  const bank_id = await rpc.create("res.bank", { name: "Testbank", bic: "GKCCBEBB" });
  const account = await rpc.create("res.partner.bank", {
    acc_number: "BE71 0961 2345 6769",
    acc_holder_name: "A. van den Éynde",
    partner_id,
    bank_id,
  });
  await rpc.call(employee, "write", [[id], { bank_account_ids: [[6, 0, [account]]] }]);
  return account;
}
