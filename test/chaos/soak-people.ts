import { carried } from "../support/connect-visitor.ts";
import { redirectUri } from "../support/harness.ts";
import { startHostileProgram } from "../support/vendors/vendor-program.ts";
import {
  connectAccounts,
  createClient,
  openForm,
  sendForm,
  untilAnswered,
  type Account,
} from "./accounts.ts";
import { askOnce, askUntilSettled, describeEnd } from "./asking.ts";
import type { Callers } from "./callers.ts";
import type { Answer } from "./load.ts";
import type { RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

const hostileCases = ["silence", "gzip-bomb", "short-body", "reset"];

/** Signs in through the pages, and gives the code to who exchanges it. Each page is an answer of the service. */
export function signInAsEndUsers(
  stage: Stage,
  callers: Callers,
): (turn: number) => Promise<Answer> {
  return async (turn) => {
    const network = `198.51.100.${turn % 250}`;
    const form = await openForm(stage, callers.client, { network });
    if (form.page.status !== 200) return { what: "sign-in page", status: form.page.status };
    const signIn = { url: callers.vendor.url, username: `end-user-${turn}` };
    const sent = await sendForm(form, signIn);
    if (sent.status !== 200 && sent.left === undefined)
      return { what: "sign-in form", status: sent.status };
    const last = await untilAnswered(stage, form.visitor, sent);
    const code = last.left === undefined ? undefined : new Map(carried(last)).get("code");
    if (code === undefined) return { what: "sign-in without a code", status: last.status };
    const { clientId, secret } = callers.client;
    callers.addCode({
      clientId,
      body: {
        client_id: clientId,
        client_secret: secret,
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
      },
    });
    return { what: "sign-in", status: 200 };
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
