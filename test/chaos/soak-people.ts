import { setTimeout as delay } from "node:timers/promises";
import { carried, headingOf, problemOf } from "../support/connect-visitor.ts";
import { redirectUri } from "../support/harness.ts";
import { startHostileProgram } from "../support/vendors/vendor-program.ts";
import {
  connectAccounts,
  createClient,
  openForm,
  sendForm,
  untilAnswered,
  type Account,
  type TestClient,
} from "./accounts.ts";
import { askOnce, askUntilSettled, describeEnd } from "./asking.ts";
import type { Callers } from "./callers.ts";
import type { Code } from "./exchanges.ts";
import type { Answer } from "./load.ts";
import type { RowContext } from "./row.ts";
import { proxyStatus } from "./small-proxy.ts";
import type { Stage } from "./stage.ts";

const hostileCases = ["silence", "gzip-bomb", "short-body", "reset"];

/** Longer than any fault lasts. */
const patienceMs = 60_000;
const pauseMs = 1_000;
const mayComeAgain = new Set([200, 503, proxyStatus]);

/**
 * Signs in through the pages, and gives the code to who exchanges it. Who gets a page that asks to come again does so
 * for a minute. A sign-in that has no code then has failed.
 */
export function signInAsEndUsers(
  stage: Stage,
  callers: Callers,
): (turn: number) => Promise<Answer> {
  return async (turn) => {
    const until = performance.now() + patienceMs;
    for (;;) {
      const { code, ...answer } = await signInOnce(stage, callers, turn);
      if (code !== undefined) {
        callers.addCode(codeOf(callers.client, code));
        return answer;
      }
      if (!mayComeAgain.has(answer.status)) return answer;
      stage.signal.throwIfAborted();
      if (performance.now() > until)
        return { ...answer, what: "sign-in without a code", status: 0 };
      await delay(pauseMs);
    }
  };
}

async function signInOnce(
  stage: Stage,
  callers: Callers,
  turn: number,
): Promise<Answer & { code?: string }> {
  const network = `198.51.100.${turn % 250}`;
  try {
    const form = await openForm(stage, callers.client, { network });
    if (form.page.status !== 200) return { what: "sign-in page", status: form.page.status };
    const signIn = { url: callers.vendor.url, username: `end-user-${turn}` };
    const sent = await sendForm(form, signIn);
    const last = await untilAnswered(stage, form.visitor, sent);
    const code = last.left === undefined ? undefined : new Map(carried(last)).get("code");
    return code === undefined
      ? {
          what: "sign-in form",
          status: last.status,
          message: `${headingOf(last)}: ${problemOf(last)}`,
        }
      : { what: "sign-in", status: 200, code };
  } catch (error) {
    // The process that answered has gone.
    return { what: "sign-in page", status: proxyStatus, message: String(error) };
  }
}

function codeOf({ clientId, secret }: TestClient, code: string): Code {
  return {
    clientId,
    body: {
      client_id: clientId,
      client_secret: secret,
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
    },
  };
}

/** Connections at providers that are hostile to every read. */
export class HostileConnections {
  readonly #stage: Stage;
  readonly #accounts: readonly Account[];

  static async connect(context: RowContext, stage: Stage): Promise<HostileConnections> {
    const client = await createClient(stage);
    const accounts: Account[] = [];
    for (const name of hostileCases) {
      const options = { case: name, phase: "read" as const, pages: 0 };
      const { url } = await context.use(startHostileProgram(options));
      const signIns = [`${name}-1`, `${name}-2`].map((username) => ({ url, username }));
      accounts.push(...(await connectAccounts(stage, client, signIns)));
    }
    return new HostileConnections(stage, accounts);
  }

  private constructor(stage: Stage, accounts: readonly Account[]) {
    this.#stage = stage;
    this.#accounts = accounts;
  }

  readonly ask = async (turn: number): Promise<Answer> => {
    const account = this.#accounts[turn % this.#accounts.length]!;
    const ended = await askOnce(this.#stage, account);
    // A provider that is broken is said to be so with 500, in words of its own.
    const isBroken = describeEnd({ ...ended, tookMs: 0 }) === "broken";
    return isBroken ? { what: "hostile", status: 200 } : { what: "hostile", ...ended };
  };

  /** How their last reads ended, each once: all of them with a reason. */
  async describeEnds(limitMs: number): Promise<Set<string>> {
    const ends = await Promise.all(
      this.#accounts.map((account) => askUntilSettled(this.#stage, account, { limitMs })),
    );
    return new Set(ends.map(describeEnd));
  }
}
