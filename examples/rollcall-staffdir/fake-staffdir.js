import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/**
 * @typedef {{
 *   code?: string, isAdmin?: boolean, mayListPeople?: boolean, pageSize?: number,
 *   trouble?: "dead-session" | "short-token" | "cut-off" | { status: number, retryAfter?: () => string },
 * }} Options
 */

/** @returns {(import("./readers.js").Person & { version: number })[]} */
export function createPeople() {
  const team = { id: 7, name: "Warehouse" };
  return [
    { ...person(1, "Łucja", "Lindgren"), team, title: "Owner", born: "1980-02-29", tax: "T-1" },
    { ...person(2, "大江", null), since: "2024-01-08" },
    { ...person(3, "Seán", "O'Brien-Ñandú"), team, until: "2025-06-30" },
    { id: 4, given: null, family: "Nobody", version: 1 },
    person(5, "Ida", "Holm"),
    { ...person(7, "Lena", "Later"), until: "2099-12-31" },
    { ...person(8, "Frida", "Future"), since: "2099-01-01" },
  ];
}

/** A server that answers as StaffDir does. Where its pages end decides `pageSize`. */
export class FakeStaffDir {
  /** @type {import("node:http").Server} */
  #server;
  /** @type {Options} */
  #options;
  #people = createPeople();
  /** @type {{ id: number, version: number }[]} */
  #removed = [];
  #version = 1;
  /** Tokens are `token-1`, `token-2` and so on. The newest one works. */
  #tokens = 1;
  #isInTrouble = false;

  /** @param {Options} options */
  static async start(options) {
    const fake = new FakeStaffDir(options);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get origin() {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  /** The token that was given out works no more. */
  endToken() {
    this.#tokens += 1;
  }

  /** What renews the token works no more, either. */
  #endSession() {
    this.#tokens += 2;
  }

  #showToken() {
    return { token: `token-${this.#tokens}`, renewal: `renewal-${this.#tokens}` };
  }

  beginTrouble() {
    this.#isInTrouble = true;
  }

  /** One person gets another title, one comes and one goes. */
  change() {
    const version = (this.#version += 1);
    this.#people = this.#people.flatMap((one) => {
      if (one.id === 2) return [{ ...one, title: "Clerk", version }];
      return one.id === 5 ? [] : [one];
    });
    this.#people.push({ ...person(9, "Noor", "Haddad"), version });
    this.#removed.push({ id: 5, version });
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async #answer(request, response) {
    const body = await text(request);
    const url = new URL(request.url ?? "/", this.origin);
    if (this.#isInTrouble && this.#troubles(url, response)) return;
    const isSignedIn = request.headers.authorization === `Bearer token-${this.#tokens}`;
    if (request.method === "DELETE") this.#endSession();
    const [status, answer] = url.pathname.startsWith("/session")
      ? this.#signIn(url.pathname, body === "" ? {} : JSON.parse(body))
      : isSignedIn
        ? this.#read(url)
        : [401, { error: "session_ended" }];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  }

  /**
   * @param {URL} url
   * @param {import("node:http").ServerResponse} response
   */
  #troubles(url, response) {
    const { trouble } = this.#options;
    if (trouble === "cut-off") {
      if (url.searchParams.has("after")) response.destroy();
      return url.searchParams.has("after");
    }
    if (trouble === "short-token") {
      if (this.#tokens === 1 && url.searchParams.has("after")) this.endToken();
      return false;
    }
    if (trouble === "dead-session") {
      response.writeHead(401).end(JSON.stringify({ error: "session_ended" }));
      return true;
    }
    if (trouble === undefined) return false;
    const retryAfter = trouble.retryAfter?.();
    response.writeHead(trouble.status, retryAfter ? { "retry-after": retryAfter } : {}).end();
    return true;
  }

  /**
   * @param {string} path
   * @param {Record<string, unknown>} values
   * @returns {[number, object]}
   */
  #signIn(path, { company, password, code, renewal }) {
    if (path === "/session/renew") {
      if (renewal !== `renewal-${this.#tokens - 1}`) return [401, { error: "session_ended" }];
      return [200, this.#showToken()];
    }
    const signedIn = this.#showToken();
    if (path === "/session/code")
      return code === this.#options.code ? [200, signedIn] : [401, { error: "wrong_code" }];
    if (company !== "lindgren") return [200, { error: "no_such_company" }];
    if (password !== "right") return [401, { error: "wrong_password" }];
    return [200, this.#options.code === undefined ? signedIn : { ticket: "ticket-1" }];
  }

  /**
   * @param {URL} url
   * @returns {[number, object]}
   */
  #read({ pathname, searchParams }) {
    const { isAdmin = true, mayListPeople = true, pageSize = 100 } = this.#options;
    const version = this.#version;
    const hidden = isAdmin ? [] : ["date_of_birth", "tax_id"];
    switch (pathname) {
      case "/me":
        return [
          200,
          {
            name: "Ada Berg",
            email: "ada@lindgren.example",
            may_list_people: mayListPeople,
            is_admin: isAdmin,
          },
        ];
      case "/company":
        return [200, { id: 1, name: "Lindgren & Søn" }];
      case "/people": {
        const after = Number(searchParams.get("after") ?? 0);
        const rest = this.#people.filter(({ id }) => id > after);
        const page = rest.slice(0, pageSize);
        const next = rest.length > pageSize ? page.at(-1)?.id : null;
        return [200, { people: page.map((one) => this.#show(one)), next, version, hidden }];
      }
      case "/people/changes": {
        const since = Number(searchParams.get("since"));
        const changed = this.#people.filter((one) => one.version > since);
        const removed = this.#removed.filter((one) => one.version > since).map(({ id }) => id);
        return [200, { changed: changed.map((one) => this.#show(one)), removed, version, hidden }];
      }
      default:
        return [404, {}];
    }
  }

  /** @param {import("./readers.js").Person & { version: number }} one */
  #show({ version: _version, ...one }) {
    const { isAdmin = true } = this.#options;
    return isAdmin ? one : { ...one, born: undefined, tax: undefined };
  }
}

/**
 * @param {number} id
 * @param {string} given
 * @param {string | null} family
 */
function person(id, given, family) {
  const email = `person.${id}@lindgren.example`;
  return { id, given, family, email, phone: null, since: "2020-03-01", version: 1 };
}
