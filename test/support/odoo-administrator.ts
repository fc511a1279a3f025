import { OdooRpc } from "./odoo-rpc.ts";

interface Account {
  login: string;
  /** Those of the administrator when they are left out. */
  groups?: readonly string[];
  language?: string;
  companyIds?: readonly number[];
}

/** Makes on a live Odoo what the tests need, as its administrator does on its pages. What is there stays. */
export class OdooAdministrator {
  readonly rpc: OdooRpc;
  constructor(rpc: OdooRpc) {
    this.rpc = rpc;
  }

  static async at(url: string): Promise<OdooAdministrator> {
    return new OdooAdministrator(await new OdooRpc(url).signIn("admin", "admin"));
  }

  /** An account whose password is its login and `-pass`. */
  async ensureAccount({ login, groups, language, companyIds }: Account): Promise<number> {
    const [known] = await this.rpc.list("res.users", [], [["login", "=", login]]);
    if (known) return known.id;
    const [own] = await this.rpc.list(
      "res.users",
      ["group_ids", "tz"],
      [["id", "=", this.rpc.uid]],
    );
    const groupIds = groups
      ? await Promise.all(groups.map((group) => this.idOf(group)))
      : own!["group_ids"];
    return await this.rpc.create("res.users", {
      name: login,
      login,
      password: `${login}-pass`,
      tz: own!["tz"],
      group_ids: [[6, 0, groupIds]],
      ...(language && { lang: language }),
      ...(companyIds && { company_id: companyIds[0], company_ids: [[6, 0, companyIds]] }),
    });
  }

  async ensureLanguage(code: string): Promise<void> {
    const [language] = await this.rpc.list("res.lang", ["active"], [["code", "=", code]]);
    if (language!["active"]) return;
    const wizard = await this.rpc.create("base.language.install", {
      lang_ids: [[6, 0, [language!.id]]],
    });
    await this.rpc.call("base.language.install", "lang_install", [[wizard]]);
  }

  /** A company in which the administrator does not work. Odoo lets whoever makes one work in it. */
  async ensureCompany(name: string, currency = "EUR"): Promise<number> {
    const [known] = await this.rpc.list("res.company", [], [["name", "=", name]]);
    if (known) return known.id;
    const [money] = await this.rpc.list("res.currency", [], [["name", "=", currency]]);
    const id = await this.rpc.create("res.company", { name, currency_id: money!.id });
    await this.rpc.call("res.users", "write", [[this.rpc.uid], { company_ids: [[3, id]] }]);
    return id;
  }

  /** Of the record that a module of Odoo brings, such as `base.be`. */
  async idOf(externalId: string): Promise<number> {
    const [module, name] = externalId.split(".");
    const [row] = await this.rpc.list(
      "ir.model.data",
      ["res_id"],
      [
        ["module", "=", module],
        ["name", "=", name],
      ],
    );
    return Number(row?.["res_id"]);
  }
}
