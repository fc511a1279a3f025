import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { findRunningPostgres } from "../../src/platform/embedded/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { scopesOfMode } from "../../src/model/index.ts";
import {
  createClient,
  createConnectionArgs,
  rollcall,
  type CommandResult,
} from "./command-line.ts";
import { ConnectVisitor, type Seen } from "./connect-visitor.ts";
import { listCasesOf } from "./data-endpoints.ts";
import { dumpTables } from "./dump-tables.ts";
import type { Reply } from "./http-client.ts";
import { rightOtp, userNameOf } from "./marker-provider.ts";
import { mark } from "./markers.ts";
import { projectDir } from "./program-environment.ts";
import { sendRaw } from "./raw-http.ts";
import { readWhenReady } from "./read-when-ready.ts";
import { startService, type ServiceProcess } from "./service-process.ts";

const redirectUri = "https://app.example.com/callback";
const management = (path: string): string => `/2023-03-01/management/${path}`;
const xhr = (path: string): string => `/2023-03-01/xhr/${path}`;
const passwordOf = mark("password");
const company = mark("company-typed");

/** Runs the service as a process in local mode and sends it all data that must leave no trace. */
export class PrivacyRun {
  readonly service: ServiceProcess;
  readonly stateDir: string;
  /** All credentials of the run. */
  readonly credentials: string[] = [];
  /**
   * The errors of the operator's commands. The data that a command has to print is not among them.
   */
  readonly commandErrors: string[] = [];
  /** The result of each part of the run, to check that the run did not end early. */
  readonly outcomes: Record<string, unknown> = {};
  readonly #env: Record<string, string>;
  #client = { id: "", secret: "" };

  private constructor(service: ServiceProcess, stateDir: string, env: Record<string, string>) {
    this.service = service;
    this.stateDir = stateDir;
    this.#env = env;
  }

  static async start(stateDir: string, extra: Record<string, string> = {}): Promise<PrivacyRun> {
    const env = {
      STATE_DIR: stateDir,
      PROVIDERS: join(projectDir, "test/support/marker-provider.ts"),
      LOG_LEVEL: "trace",
      RATE_LIMIT_OPEN_1M: "100000",
      RATE_LIMIT_OPEN_5M: "100000",
      RATE_LIMIT_GATED_IP_1M: "100000",
      RATE_LIMIT_GATED_CLIENT_5M: "100000",
      ...extra,
    };
    const service = await (await startService(env)).untilStarted();
    const run = new PrivacyRun(service, stateDir, env);
    const demo = JSON.parse(readFileSync(join(stateDir, "demo.json"), "utf8")) as {
      client_secret: string;
      sandbox_token: string;
    };
    run.credentials.push(demo.client_secret, demo.sandbox_token);
    return run;
  }

  async walk(): Promise<void> {
    await this.#makeClient();
    const token = await this.#readEverything();
    await this.#receiveWebhooks();
    await this.#meetProviderFailures();
    await this.#refuseSignIns();
    await this.#signInOnPages();
    await this.#sendNonsense(token);
    await this.#disconnect();
  }

  async dumpTables(): Promise<string> {
    return await dumpTables(findRunningPostgres(this.stateDir) ?? "");
  }

  async #makeClient(): Promise<void> {
    const { id, secret: given } = await createClient(this.#env, { name: "Privacy", redirectUri });
    const chosen = `${mark("chosen-secret")}-${"x".repeat(32)}`;
    const basic: [string, string] = [id, given];
    this.credentials.push(given);
    this.outcomes["a chosen secret"] = (
      await this.service.http.post(management("client"), {
        basic,
        json: { client_secret: [chosen, given] },
      })
    ).status;
    for (const json of [
      { client_secret: mark("short") },
      { [mark("unknown-field")]: 1 },
      { name: `${mark("bad-name")}\u0000` },
      { webhook_uri: `ftp://${mark("bad-webhook")}` },
      { redirect_uris: [mark("bad-redirect")] },
    ]) {
      await this.service.http.post(management("client"), { basic, json });
    }
    this.#client = { id, secret: chosen };
  }

  async #readEverything(): Promise<string> {
    const token = await this.#connect("good");
    const options = { bearer: token };
    const lists = listCasesOf("xhr");
    const replies = await Promise.all(
      lists.map(({ path, query }) =>
        readWhenReady(this.service.http, xhr(path), { ...options, query }),
      ),
    );
    const replyOf = (path: string): Reply | undefined =>
      replies[lists.findIndex((list) => list.path === path)];
    replies.push(
      await readWhenReady(
        this.service.http,
        xhr(`payruns/${firstId(replyOf("payruns"))}`),
        options,
      ),
    );
    replies.push(await this.service.http.get(xhr("identity"), options));
    replies.push(
      await this.service.http.get(xhr("employee"), {
        ...options,
        query: { id: firstId(replyOf("employees")) },
      }),
    );
    replies.push(
      await this.service.http.get(xhr("employees"), {
        ...options,
        query: { employment_status: "active" },
      }),
    );
    this.outcomes["the data that a client reads"] = replies.map(
      ({ status, bytes }) => `${status} ${bytes.toString().includes(mark(""))}`,
    );
    for (const encoding of ["gzip", "br", "deflate"])
      await this.service.http.get(xhr("employees"), {
        ...options,
        headers: { "accept-encoding": encoding },
      });
    return token;
  }

  /** The receiver first fails with a marked answer and then accepts the same body. */
  async #receiveWebhooks(): Promise<void> {
    const received: { status: number; hasMarker: boolean }[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request);
      const status = received.length === 0 ? 500 : 204;
      received.push({ status, hasMarker: body.includes(mark("iban")) });
      response
        .writeHead(status, { "x-failure": mark("receiver-header") })
        .end(status === 500 ? mark("receiver-body") : undefined);
    };
    const receiver = createServer((request, response) => void answer(request, response)).listen(
      0,
      "127.0.0.1",
    );
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    const code = await this.#makeCode();
    await this.#exchange(code);
    const { token } = (await this.#exchange(code)).body as { token: string };
    await this.#command([
      "client",
      "update",
      this.#client.id,
      "--webhook-uri",
      `http://127.0.0.1:${port}/`,
    ]);
    for (let poll = 0; poll < 2; poll += 1) await this.#command(["poll", "now", "--token", token]);
    while (received.length < 2) await delay(50);
    this.outcomes["webhooks"] = received.slice(0, 2);
    await this.#command(["client", "update", this.#client.id, "--no-webhook-uri"]);
    receiver.closeAllConnections();
    receiver.close();
  }

  async #meetProviderFailures(): Promise<void> {
    const scenarios = ["expired", "limited", "unmapped", "broken", "stumble", "upstream"] as const;
    const statuses = await Promise.all(
      scenarios.map(async (scenario) => [
        scenario,
        (await this.#settle(await this.#connect(scenario))).status,
      ]),
    );
    this.outcomes["what provider failures are answered with"] = Object.fromEntries(statuses);
  }

  async #refuseSignIns(): Promise<void> {
    const codes: Record<string, string> = {};
    const scenarios = ["refused", "field", "down", "bug", "crash", "otp"] as const;
    const commands = await Promise.all(
      scenarios.map((scenario) =>
        this.#signInByCommand(scenario, scenario === "otp" ? mark("otp-wrong") : undefined),
      ),
    );
    for (const [index, scenario] of scenarios.entries()) {
      const refused = commands[index]!;
      const { error, message } = JSON.parse(refused.stderr.trim().split("\n").at(-1) ?? "{}") as {
        error: string;
        message: string;
      };
      codes[scenario] = error;
      // The message of an adapter about a field is for the person who typed it.
      this.commandErrors.push(
        refused.stdout,
        scenario === "field" ? refused.stderr.replace(message, "") : refused.stderr,
      );
    }
    this.outcomes["refused sign-ins at the command line"] = codes;
    this.outcomes["a second factor at the command line"] = (
      await this.#exchange(
        (await this.#signInByCommand("otp", rightOtp)).json<{ code: string }>().code,
      )
    ).status;
  }

  /** The hosted sign-in in a browser. */
  async #signInOnPages(): Promise<void> {
    const basic: [string, string] = [this.#client.id, this.#client.secret];
    const scope = scopesOfMode("xhr").join(" ");
    const json = {
      redirect_uri: redirectUri,
      scope,
      mode: "xhr",
      provider: "marker",
      state: mark("session-state"),
    };
    const session = await this.service.http.post(management("connect-session"), { basic, json });
    const { connect_url: link } = session.body as { connect_url: string };
    this.credentials.push(new URL(link).searchParams.get("session") ?? "");
    const visitor = new ConnectVisitor(this.service.baseUrl);
    const forms: string[] = [];
    const note = async (next: Promise<Seen>): Promise<Seen> => {
      const page = await next;
      forms.push(formOf(page));
      return page;
    };
    let page = await note(visitor.open(`/connect${new URL(link).search}`));
    for (const scenario of ["refused", "field", "crash", "otp"] as const) {
      const username = userNameOf(scenario);
      page = await note(visitor.submit(page, { username, password: passwordOf, company }));
    }
    page = await note(visitor.answer(page, mark("otp-wrong-on-page")));
    page = await note(visitor.answer(page, rightOtp));
    this.outcomes["the way through the pages"] = forms;
    const code = new URL(page.left ?? "https://nowhere.test").searchParams.get("code") ?? "";
    this.outcomes["the code of the pages"] = (await this.#exchange(code)).status;
    this.credentials.push(...visitor.cookies.values());

    const declining = new ConnectVisitor(this.service.baseUrl);
    const query = new URLSearchParams({
      client_id: this.#client.id,
      redirect_uri: redirectUri,
      scope,
      mode: "xhr",
      provider: "marker",
      state: mark("link-state"),
      login_hint: mark("hint"),
    });
    const first = await declining.open(`/connect?${query.toString()}`);
    const again = await declining.submit(first, {
      username: "",
      password: passwordOf,
      company: "x".repeat(3_000) + mark("too-long"),
    });
    await declining.send(again, "decline");
    for (const bad of [
      `client_id=${mark("bad-client")}`,
      `${query.toString()}&scope=${mark("bad-scope")}`,
      `session=${mark("bad-session")}`,
    ])
      await declining.open(`/connect?${bad}`);
  }

  async #sendNonsense(token: string): Promise<void> {
    const { http, baseUrl } = this.service;
    const code = await this.#makeCode();
    const body = this.#exchangeBody(code);
    const basic: [string, string] = [this.#client.id, this.#client.secret];
    const secretUnknown = mintCredential("cs", "dev");
    const codeUnknown = mintCredential("ac", "dev");
    this.credentials.push(secretUnknown, codeUnknown);
    const text = JSON.stringify({ ...body, note: mark("malformed-body") });
    const bodies = [
      text.slice(0, -1),
      `${text},`,
      `[${text}`,
      text.replace("{", '{"code":"x",'),
      JSON.stringify(text),
    ];
    for (const type of [
      "application/json",
      "application/x-www-form-urlencoded",
      "text/plain",
      `application/${mark("media-type")}`,
    ]) {
      for (const malformed of bodies) {
        await http.post(management("token"), {
          headers: { "content-type": type },
          body: malformed,
        });
        await http.post(management("client"), {
          basic,
          headers: { "content-type": type },
          body: malformed,
        });
      }
    }
    for (const change of [
      { client_secret: secretUnknown },
      { code: codeUnknown },
      { code: mark("code") },
      { redirect_uri: `https://${mark("redirect")}.test` },
      { code_verifier: mark("verifier").padEnd(43, "v") },
      { grant_type: mark("grant") },
      { client_id: mark("client") },
    ]) {
      await http.post(management("token"), { json: { ...body, ...change } });
    }
    await http.post(management("token"), { json: body });
    this.outcomes["a code that is sent again"] = (
      await http.post(management("token"), { json: body })
    ).status;
    const form = new URLSearchParams(body).toString();
    await http.post(management("token"), {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form,
    });

    for (const bearer of [
      mark("bearer"),
      `${token}x`,
      mintCredential("at", "prod"),
      mintCredential("at", "dev"),
    ]) {
      this.credentials.push(bearer);
      for (const path of [xhr("employees"), management("introspect")])
        await http.get(path, { bearer });
      await http.post(management("disconnect"), { bearer });
    }
    await http.get(management("client"), { basic: [mark("basic-id"), mark("basic-secret")] });
    await http.get(management("tokens"), {
      headers: { authorization: `Basic ${mark("basic-garbage")}` },
    });
    await http.get(management("introspect"), { bearer: token });

    for (const path of [
      `/${mark("path")}`,
      `/%51${mark("encoded-path")}%00`,
      xhr(`payruns/${mark("payrun")}`),
      `${xhr("employees")}/${mark("below")}`,
      `/docs/${mark("docs")}`,
      `/connect/${mark("flow")}`,
    ]) {
      await http.get(`${path}?access_token=${mark("query-token")}`, { bearer: token });
      await http.request("DELETE", path, {
        bearer: token,
        headers: {
          "x-forwarded-for": mark("forwarded"),
          cookie: `rollcall=${mark("cookie")}`,
          referer: mark("referer"),
          "user-agent": mark("agent"),
        },
      });
    }
    for (const query of [
      { id: mark("employee-query") },
      { employment_status: mark("status"), id: "x" },
      { start_date: mark("date"), end_date: mark("date"), id: "x" },
    ]) {
      for (const path of ["employee", "employees", "payruns"])
        await http.get(xhr(path), { bearer: token, query });
    }
    for (const raw of [
      `GET /${mark("raw")} HTP/1.1\r\n\r\n`,
      `${mark("method")} / HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\n${mark("header")}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${mark("large").repeat(3_000)}\r\n\r\n`,
    ]) {
      await sendRaw(baseUrl, raw, { replies: 1 });
    }
  }

  async #disconnect(): Promise<void> {
    const bearer = await this.#connect("good");
    await readWhenReady(this.service.http, xhr("employees"), { bearer });
    this.outcomes["a disconnect"] = (
      await this.service.http.post(management("disconnect"), { bearer })
    ).status;
  }

  /** Repeats the request until the fetch has ended or the service asks for a longer wait. */
  async #settle(bearer: string): Promise<Reply> {
    for (;;) {
      const reply = await this.service.http.get(xhr("employees"), {
        bearer,
        headers: { prefer: "wait=1" },
      });
      if (reply.status !== 202 || Number(reply.headers["retry-after"]) > 1) return reply;
    }
  }

  async #connect(scenario: Parameters<typeof userNameOf>[0]): Promise<string> {
    const { code } = (await this.#signInByCommand(scenario)).json<{ code: string }>();
    const { access_token: token } = (await this.#exchange(code)).body as { access_token: string };
    return token;
  }

  async #makeCode(): Promise<string> {
    const { code } = (await this.#signInByCommand("good")).json<{ code: string }>();
    this.credentials.push(code);
    return code;
  }

  async #exchange(code: string): Promise<Reply> {
    this.credentials.push(code);
    const reply = await this.service.http.post(management("token"), {
      json: this.#exchangeBody(code),
    });
    const { access_token: token } = reply.body as { access_token?: string };
    if (token) this.credentials.push(token);
    return reply;
  }

  #exchangeBody(code: string): Record<string, string> {
    return {
      client_id: this.#client.id,
      client_secret: this.#client.secret,
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
    };
  }

  async #signInByCommand(
    scenario: Parameters<typeof userNameOf>[0],
    otp?: string,
  ): Promise<CommandResult> {
    const fields = [
      `username=${userNameOf(scenario)}`,
      `password=${passwordOf}`,
      `company=${company}`,
      ...(otp ? [`otp=${otp}`] : []),
    ];
    return await this.#command(
      [...createConnectionArgs(this.#client.id, { provider: "marker" }), "--fields-file", "-"],
      fields.join("\n"),
    );
  }

  async #command(args: readonly string[], input = ""): Promise<CommandResult> {
    return await rollcall([...args, "--json"], this.#env, { input });
  }
}

/** The form of the page, or how the sign-in ended. */
function formOf({ left, html, status }: Seen): string {
  if (left !== undefined) return "left";
  return (
    /(?:action="[^"]*\/|name="form_name" value=")(sign-in|answer|provider)"/.exec(html)?.[1] ??
    `page ${status}`
  );
}

function firstId(reply: Reply | undefined): string {
  const [record] = (reply?.body ?? []) as { id: string }[];
  return record?.id ?? "";
}
