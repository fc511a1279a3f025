import { createHash, randomUUID } from "node:crypto";

interface PageRequest {
  method: string;
  /** With its query. */
  path: string;
  body: string;
}

interface PageReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface Choice {
  value: string;
  title: string;
}

interface Approved {
  challenge: string;
  redirectUri: string;
  chosen: readonly string[];
}

const html = { "content-type": "text/html; charset=utf-8" };

/**
 * A vendor's own page: a person approves there or does not, and the browser is sent back with a code. A code is worth
 * something once, to whoever has the verifier of its challenge (RFC 7636).
 */
export class ApprovalPage {
  readonly #path: string;
  readonly #clientId: string;
  readonly #choices: () => readonly Choice[];
  readonly #codes = new Map<string, Approved>();

  constructor(options: {
    path: string;
    clientId: string;
    /** What a person chooses among, such as the organisations of an account. */
    choices?: () => readonly Choice[];
  }) {
    this.#path = options.path;
    this.#clientId = options.clientId;
    this.#choices = options.choices ?? (() => []);
  }

  /** Undefined for what is not for this page. */
  answer({ method, path, body }: PageRequest): PageReply | undefined {
    const { pathname, searchParams: asked } = new URL(path, "http://vendor.invalid");
    if (pathname !== this.#path) return undefined;
    const problem = this.#findProblem(asked);
    if (problem !== undefined) return { status: 400, headers: html, body: problem };
    if (method === "GET") return { status: 200, headers: html, body: this.#render() };
    const back = new URL(asked.get("redirect_uri") ?? "");
    const told = this.#decide(asked, new URLSearchParams(body));
    for (const [name, value] of Object.entries(told)) back.searchParams.set(name, value);
    back.searchParams.set("state", asked.get("state") ?? "");
    return { status: 302, headers: { location: back.href }, body: "" };
  }

  /** What was approved, for the first request of a token with the code. */
  take(form: URLSearchParams): Pick<Approved, "chosen"> | undefined {
    const code = form.get("code") ?? "";
    const approved = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "");
    const isOurs =
      approved?.redirectUri === form.get("redirect_uri") &&
      approved?.challenge === challenge.digest("base64url");
    return isOurs ? approved : undefined;
  }

  #findProblem(asked: URLSearchParams): string | undefined {
    const expected = {
      response_type: "code",
      client_id: this.#clientId,
      code_challenge_method: "S256",
    };
    const wrong = Object.entries(expected).find(([name, value]) => asked.get(name) !== value);
    const missing = ["state", "scope", "code_challenge"].find((name) => !asked.get(name));
    const name = wrong?.[0] ?? missing;
    if (name !== undefined) return `${name} is wrong`;
    return URL.canParse(asked.get("redirect_uri") ?? "") ? undefined : "redirect_uri is wrong";
  }

  #decide(asked: URLSearchParams, decided: URLSearchParams): Record<string, string> {
    if (decided.get("decision") !== "allow") return { error: "access_denied" };
    const code = randomUUID();
    this.#codes.set(code, {
      challenge: asked.get("code_challenge") ?? "",
      redirectUri: asked.get("redirect_uri") ?? "",
      chosen: decided.getAll("chosen"),
    });
    return { code };
  }

  #render(): string {
    const boxes = this.#choices().map(
      ({ value, title }) =>
        `<p><label><input type="checkbox" name="chosen" value="${value}"> ${title}</label></p>`,
    );
    return (
      '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Approve</title>' +
      `<h1>Rollcall wants to read your data</h1><form method="post">${boxes.join("")}` +
      '<button name="decision" value="allow">Allow access</button> ' +
      '<button name="decision" value="cancel">Cancel</button></form></html>'
    );
  }
}
