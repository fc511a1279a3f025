const keyName = "rollcall test";

export type Row = Record<string, unknown> & { id: number };

/** Calls a live Odoo as its own page does, beside the adapter and without its code. */
export class OdooRpc {
  readonly #url: string;
  #cookie = "";

  constructor(url: string) {
    this.#url = url;
  }

  async signIn(login: string, password: string): Promise<this> {
    const params = { db: "hr", login, password };
    const { headers } = await this.#post("/web/session/authenticate", params);
    this.#cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    return this;
  }

  async call<Result>(
    model: string,
    method: string,
    args: readonly unknown[] = [],
    kwargs: object = {},
  ): Promise<Result> {
    const params = { model, method, args, kwargs };
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

  /** Odoo makes one for who has typed the password again. */
  async makeApiKey(password: string): Promise<string> {
    const values = [{ name: keyName, duration: "1" }];
    const [id] = [
      await this.call<number[] | number>("res.users.apikeys.description", "create", [values]),
    ].flat();
    const wizard = await this.call<{ res_id: number }>(
      "res.users.apikeys.description",
      "make_key",
      [[id]],
    );
    const made = await this.call<{ context: { default_key: string } }>(
      "res.users.identitycheck",
      "run_check",
      [[wizard.res_id]],
      { context: { password } },
    );
    return made.context.default_key;
  }

  /** Those that `makeApiKey` made, soon after it did. */
  async removeApiKeys(): Promise<void> {
    const keys = await this.list("res.users.apikeys", [], [["name", "=", keyName]]);
    for (const { id } of keys) await this.call("res.users.apikeys", "remove", [[id]]);
  }

  async #post(path: string, params: object): Promise<Response> {
    return await fetch(this.#url + path, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: this.#cookie },
      body: JSON.stringify({ jsonrpc: "2.0", method: "call", params }),
    });
  }
}
