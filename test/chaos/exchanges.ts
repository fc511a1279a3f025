import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { exchangeBody, redirectUri, signIn } from "../support/harness.ts";
import { Fleet } from "./fleet.ts";
import type { Measured, Row, RowContext } from "./row.ts";
import type { Stage } from "./stage.ts";

export const exchangeRaces: Row = {
  name: "exchange-races",
  target: "each code: once 201, 199 times 409, one token",
  limitMinutes: 20,
  run: measureRaces,
};

export const exchangesWithoutDatabase: Row = {
  name: "exchanges-while-clients-of-the-database-end",
  target: "each code gives one token or none; with none it still works; no 500",
  limitMinutes: 20,
  run: measureEnds,
};

const callers = 200;
const agent = new Agent({ connections: 256, headersTimeout: 60_000 });

export interface Code {
  clientId: string;
  body: Record<string, string>;
}

interface Exchanged {
  /** How often each status came. */
  statuses: Map<number, number>;
  messages: string[];
}

async function begin(
  context: RowContext,
  options: { hasOwnStores?: boolean },
): Promise<{ stage: Stage; fleet: Fleet; codes: Code[] }> {
  const stage = await context.stage({}, options);
  const fleet = await Fleet.start(context, stage, { workers: 0 });
  const codes = await makeCodes(stage, context.scaled(50, 3));
  return { stage, fleet, codes };
}

/** A client for each, so that its tokens can be counted. */
export async function makeCodes(stage: Stage, count: number): Promise<Code[]> {
  return await stage.withServices(async (services) => {
    const codes: Code[] = [];
    while (codes.length < count) {
      const owner = await services.clients.create({
        name: "Chaos",
        redirectUris: [redirectUri],
      });
      const signedIn = await signIn(services, { client: owner });
      codes.push({ clientId: owner.client.clientId, body: exchangeBody(signedIn) });
    }
    // On a slow machine they wait for longer than five minutes.
    await services.pool.query(
      "update authorization_codes set expires_at = now() + interval '1 hour'",
    );
    await services.pool.query(
      "update connections set expires_at = now() + interval '1 hour' where expires_at is not null",
    );
    return codes;
  });
}

export async function exchange(
  baseUrl: string,
  { body }: Code,
): Promise<{ status: number; token: string; message: string }> {
  const reply = await request(`${baseUrl}/2023-03-01/management/token`, {
    dispatcher: agent,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { access_token: token = "", message = "" } = (await reply.body.json()) as {
    access_token?: string;
    message?: string;
  };
  return { status: reply.statusCode, token, message };
}

/** The same code 200 times at once, by turns at both processes. */
async function race({ ports }: Fleet, code: Code): Promise<Exchanged> {
  const replies = await Promise.all(
    Array.from({ length: callers }, (_, index) =>
      exchange(`http://127.0.0.1:${ports[index % 2]}`, code).catch((error: unknown) => ({
        status: 0,
        message: String(error),
      })),
    ),
  );
  const statuses = new Map<number, number>();
  for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const messages = replies.filter(({ status }) => status >= 500 || status === 0);
  return { statuses, messages: messages.map(({ message }) => message) };
}

async function countTokens(stage: Stage, { clientId }: Code): Promise<number> {
  const rows = await stage.query("select 1 from tokens where client_id = $1", [clientId]);
  return rows.length;
}

async function measureRaces(context: RowContext): Promise<Measured> {
  const { stage, fleet, codes } = await begin(context, {});
  let [exact, tokens, failed] = [0, 0, 0];
  for (const code of codes) {
    const { statuses } = await race(fleet, code);
    const found = await countTokens(stage, code);
    tokens += found;
    failed += callers - (statuses.get(201) ?? 0) - (statuses.get(409) ?? 0);
    if (statuses.get(201) === 1 && statuses.get(409) === callers - 1 && found === 1) exact += 1;
  }
  return {
    isOk: exact === codes.length,
    measured:
      `${exact} of ${codes.length} codes exact, ${tokens} tokens, over two processes; ` +
      `${failed} other answers`,
  };
}

async function measureEnds(context: RowContext): Promise<Measured> {
  const { stage, fleet, codes } = await begin(context, { hasOwnStores: true });
  let [once, atFirst, unused, away] = [0, 0, 0, 0];
  const wrong: string[] = [];
  for (const code of codes) {
    const state = { isOver: false };
    const ending = endClients(stage, state);
    const { statuses, messages } = await race(fleet, code);
    state.isOver = true;
    await ending;
    for (const status of statuses.keys())
      if (![201, 409, 503].includes(status)) wrong.push(`${status} ${messages[0] ?? ""}`);
    away += statuses.get(503) ?? 0;
    const before = await countTokens(stage, code);
    const later = await untilAnswered(stage, code);
    const tokens = await countTokens(stage, code);
    if (before === 1) atFirst += 1;
    else unused += 1;
    if ((statuses.get(201) ?? 0) > before) wrong.push("more replies than tokens");
    if (later !== (before === 1 ? 409 : 201)) wrong.push(`afterwards ${later}`);
    if (tokens === 1) once += 1;
  }
  return {
    isOk: once === codes.length && wrong.length === 0 && away > 0,
    measured:
      `${atFirst} codes gave their token meanwhile, ${unused} afterwards, each of them one (${once} of ` +
      `${codes.length}); ${away} answers were 503; wrong: ${wrong.slice(0, 3).join(", ") || "none"}`,
  };
}

async function endClients({ postgres }: Stage, state: { isOver: boolean }): Promise<void> {
  while (!state.isOver) {
    await postgres.endClients().catch(() => undefined);
    await delay(10);
  }
}

/** The first answer that is not 503, once nothing is ended any more. */
async function untilAnswered(stage: Stage, code: Code): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { status } = await exchange(stage.baseUrl, code);
    if (status !== 503) return status;
    await delay(200);
  }
  return 503;
}
