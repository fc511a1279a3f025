import { timeCode } from "./time-code.ts";

const keyName = "rollcall test";

export type Row = Record<string, unknown> & { id: number };

/** Calls a live Odoo as its own page does, beside the adapter and without its code. */
export class OdooRpc {
  readonly #url: string;
  #cookie = "";
  #uid = 0;
  #companyIds: readonly number[] | undefined;
  #language: string | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get uid(): number {
    return this.#uid;
  }

  async signIn(login: string, password: string): Promise<this> {
    const params = { db: "hr", login, password };
    const response = await this.#post("/web/session/authenticate", params);
    this.#cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
    const { result } = (await response.json()) as { result?: { uid: number | null } };
    if (!result?.uid) throw new Error(`Odoo refuses ${login}`);
    this.#uid = result.uid;
    return this;
  }

  /** Those that were ticked, or all of the account. */
  async companyIds(): Promise<readonly number[]> {
    if (this.#companyIds) return this.#companyIds;
    const [user] = await this.list("res.users", ["company_ids"], [["id", "=", this.#uid]]);
    return user!["company_ids"] as number[];
  }

  /** What follows is of these companies alone, as when they are ticked on Odoo's page. */
  inCompanies(companyIds: readonly number[]): this {
    this.#companyIds = companyIds;
    return this;
  }

  /** What follows has the names of this language. */
  inLanguage(code: string): this {
    this.#language = code;
    return this;
  }

  async call<Result>(
    model: string,
    method: string,
    args: readonly unknown[] = [],
    { context, ...kwargs }: { context?: object; [name: string]: unknown } = {},
  ): Promise<Result> {
    const whole = {
      ...context,
      ...(this.#language !== undefined && { lang: this.#language }),
      ...(this.#companyIds && { allowed_company_ids: this.#companyIds }),
    };
    const params = { model, method, args, kwargs: { ...kwargs, context: whole } };
    const response = await this.#post(`/web/dataset/call_kw/${model}/${method}`, params);
    const { result, error } = (await response.json()) as {
      result: Result;
      error?: { data: { name: string; message: string } };
    };
    if (error) throw new Error(`${model}.${method}: ${error.data.name}: ${error.data.message}`);
    return result;
  }

  /** All records, also archived ones, in the order of their ids. */
  async list(
    model: string,
    fields: readonly string[],
    domain: readonly unknown[] = [],
  ): Promise<Row[]> {
    const context = { active_test: false };
    return await this.call(model, "search_read", [], { domain, fields, order: "id", context });
  }

  /** The id of the new record. */
  async create(model: string, values: object): Promise<number> {
    const [id] = await this.call<number[]>(model, "create", [[values]]);
    return id!;
  }

  /** Odoo makes one for who has typed the password again. */
  async makeApiKey(password: string): Promise<string> {
    const wizard = await this.create("res.users.apikeys.description", {
      name: keyName,
      duration: "1",
    });
    const made = await this.#callWithPassword<{ context: { default_key: string } }>(
      "res.users.apikeys.description",
      "make_key",
      wizard,
      password,
    );
    return made.context.default_key;
  }

  /** Those that `makeApiKey` made, of all accounts for an administrator. */
  async removeApiKeys(password: string, domain: readonly unknown[] = []): Promise<void> {
    const model = "res.users.apikeys";
    const keys = await this.list(model, [], [["name", "=", keyName], ...domain]);
    for (const { id } of keys) await this.#callWithPassword(model, "remove", id, password);
  }

  /** Returns the secret of the authenticator app that the account has from now on. */
  async enableSecondFactor(password: string, now: Date): Promise<string> {
    const { res_id: wizard } = await this.#callWithPassword<{ res_id: number }>(
      "res.users",
      "action_totp_enable_wizard",
      this.#uid,
      password,
    );
    const [row] = await this.list("auth_totp.wizard", ["secret"], [["id", "=", wizard]]);
    const secret = String(row?.["secret"]).replaceAll(" ", "");
    const context = { code: timeCode(secret, now) };
    await this.call("auth_totp.wizard", "enable", [[wizard]], { context });
    return secret;
  }

  /** Odoo asks for the password again where none was typed within ten minutes. */
  async #callWithPassword<Result>(
    model: string,
    method: string,
    id: number,
    password: string,
  ): Promise<Result> {
    const asked = await this.call<{ res_id: number; res_model?: string }>(model, method, [[id]]);
    if (asked.res_model !== "res.users.identitycheck") return asked as Result;
    const context = { password };
    return await this.call("res.users.identitycheck", "run_check", [[asked.res_id]], { context });
  }

  async #post(path: string, params: object): Promise<Response> {
    return await fetch(this.#url + path, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: this.#cookie },
      body: JSON.stringify({ jsonrpc: "2.0", method: "call", params }),
    });
  }
}
