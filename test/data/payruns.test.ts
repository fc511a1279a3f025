import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countFetches, fetchData, fetchList, january, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const url = `${version}/xhr/payruns`;
const payslipsUrl = (id: string): string => `${url}/${encodeURIComponent(id)}`;

interface Payrun {
  id: string;
  remote_id: string;
  payment_date: string;
  start_date: string;
  type: string;
}

interface Payslip {
  payrun_id: string;
  payrun_remote_id: string;
  employee_id: string;
  payment_date: string;
}

let harness: Harness;
let connection: Awaited<ReturnType<Harness["connect"]>>;
let payruns: Payrun[];
beforeAll(async () => {
  harness = await createHarness();
  connection = await harness.connect();
  payruns = await list(january);
});
afterAll(() => harness.close());

const list = async (range: Record<string, string>, token = connection.token): Promise<Payrun[]> =>
  (await fetchList(harness, token, url, range)) as unknown as Payrun[];

describe("payruns", () => {
  test("a run is in the list when its payment date is in the range, whatever its period", async () => {
    const wide = await list({ start_date: "2025-12-01", end_date: "2026-02-28" });
    const paidInJanuary = wide.filter(({ payment_date: paid }) => paid.startsWith("2026-01-"));
    expect(payruns).toEqual(paidInJanuary);
    expect(payruns.some(({ start_date: start }) => start < "2026-01-01")).toBe(true);
  });

  test.each<[string, (paid: string) => Record<string, string>]>([
    ["that day alone", (paid) => ({ start_date: paid, end_date: paid })],
    ["a range that ends with it", (paid) => ({ start_date: "2026-01-05", end_date: paid })],
    ["a range that begins with it", (paid) => ({ start_date: paid, end_date: "2026-03-05" })],
  ])("both ends of the range belong to it: %s", async (_name, rangeOf) => {
    const run = payruns.find(({ payment_date: paid }) => paid > "2026-01-10") as Payrun;
    expect(await list(rangeOf(run.payment_date))).toContainEqual(run);
  });

  test("each range is a fetch of its own", async () => {
    const { token, tokenId } = await harness.connect();
    await list(january, token);
    await list({ ...january, end_date: "2026-01-30" }, token);
    await harness.http.get(url, { bearer: token, query: january });
    expect(await countFetches(harness, tokenId)).toBe(2);
  });
});

describe("payslips", () => {
  test("an id of the list gives the payslips of that run", async () => {
    const run = payruns.find(({ type }) => type === "regular") as Payrun;
    const { body } = await fetchData(harness, connection.token, payslipsUrl(run.id));
    const slips = body as Payslip[];
    expect(slips.length).toBeGreaterThan(0);
    expect(new Set(slips.map((slip) => slip.payrun_id))).toEqual(new Set([run.id]));
    expect(new Set(slips.map((slip) => slip.payrun_remote_id))).toEqual(new Set([run.remote_id]));
    expect(new Set(slips.map((slip) => slip.payment_date))).toEqual(new Set([run.payment_date]));
  });

  test("an id stays good after the list that gave it is long gone", async () => {
    const { token } = await harness.connect();
    const [run] = await list(january, token);
    harness.clock.advance(30 * 24 * 3600);
    expect((await harness.http.get(payslipsUrl(run?.id ?? ""), { bearer: token })).status).toBe(
      202,
    );
  });

  test("the same run found through another range has the same id and the same payslips", async () => {
    const { token, tokenId } = await harness.connect();
    const [run] = await list(january, token);
    const again = (await list({ start_date: "2025-06-01", end_date: "2026-02-01" }, token)).find(
      ({ remote_id: remoteId }) => remoteId === run?.remote_id,
    );
    expect(again).toEqual(run);
    await fetchData(harness, token, payslipsUrl(run?.id ?? ""));
    const before = await countFetches(harness, tokenId);
    expect((await harness.http.get(payslipsUrl(again?.id ?? ""), { bearer: token })).status).toBe(
      200,
    );
    expect(await countFetches(harness, tokenId)).toBe(before);
  });

  test("the scope of payslips is one of its own", async () => {
    const scoped = await harness.connect({ scopes: [`${version}/xhr/payruns` as never] });
    const [run] = await list(january, scoped.token);
    const reply = await harness.http.get(payslipsUrl(run?.id ?? ""), { bearer: scoped.token });
    expect(reply.status).toBe(403);
    expect(reply.headers["www-authenticate"]).toBe(
      `Bearer error="insufficient_scope", scope="${version}/xhr/payruns/:payrun_id"`,
    );
  });
});

/** What the connection is told of the id, and how many jobs were made for it. */
async function askFor(id: string, { token, tokenId }: { token: string; tokenId: string }) {
  const before = await countFetches(harness, tokenId);
  const { status, body } = await harness.http.get(payslipsUrl(id), { bearer: token });
  return { status, body, jobs: (await countFetches(harness, tokenId)) - before };
}

const unknown = (id: string) => ({
  status: 404,
  body: { message: expect.stringMatching(/./), id },
  jobs: 0,
});

describe("404 of a payrun that was never issued to this connection", () => {
  test.each<[string, (id: string) => string]>([
    ["an id of the right form", () => "AAAAAAAAAAAAAAAAAAAAAA"],
    ["a short word", () => "x"],
    ["the provider's id", () => payruns[0]?.remote_id ?? ""],
    ["an id with padding", (id) => `${id}==`],
    [
      "an id with other unused bits at its end",
      (id) => `${id.slice(0, -1)}${String.fromCodePoint((id.codePointAt(id.length - 1) ?? 0) + 1)}`,
    ],
    ["an id with a space", (id) => `${id} `],
    ["an id with a line end", (id) => `${id}\n`],
    ["an id behind a zero byte", (id) => `\0${id}`],
    ["an id before a zero byte", (id) => `${id}\0`],
    ["a zero byte", () => "\0"],
    ["an accent", () => "é"],
    ["an emoji", () => "😀"],
    ["right-to-left marks", () => "\u202e\u202d"],
    ["a noncharacter", () => "\uffff"],
    ["a slash", () => "a/b"],
    ["a backslash", () => "a\\b"],
    ["dots and a slash", () => "../payruns"],
    ["a percent sign", () => "%"],
    ["an encoding in an encoding", () => "%2500"],
    ["a question mark and a hash", () => "a?b#c"],
    ["quotes", () => `' or "1"='1`],
    ["a range of dates", () => "2026-01-01..2026-01-31"],
    ["a name of every object", () => "__proto__"],
    ["the parameter's own name", () => ":payrun_id"],
    ["a star", () => "*"],
    ["a thousand characters", () => "x".repeat(1_000)],
    ["two thousand characters", () => "x".repeat(2_000)],
    ["a thousand characters of three bytes", () => "€".repeat(800)],
  ])("%s is answered at once, named as it was sent, and no job is made", async (_name, change) => {
    const id = change(payruns[0]?.id ?? "");
    expect(await askFor(id, connection)).toEqual(unknown(id));
  });

  test("another connection's payrun is as unknown as any, of the same client or not", async () => {
    for (const client of [{ client: connection.client, secret: connection.secret }, undefined]) {
      const other = await harness.connect(client ? { client } : {});
      const [theirs, ours] = [
        (await list(january, other.token))[0]?.id ?? "",
        payruns[0]?.id ?? "",
      ];
      expect(await askFor(theirs, connection)).toEqual(unknown(theirs));
      expect(await askFor(ours, other)).toEqual(unknown(ours));
    }
  });

  test("a connection that has listed no payruns yet knows none", async () => {
    const id = payruns[0]?.id ?? "";
    expect(await askFor(id, await harness.connect())).toEqual(unknown(id));
  });

  test.each(["%", "%zz", "%ff", "%c3%28", "%ed%a0%80", "%u0041"])(
    "a path with %s in it is refused and never a server error",
    async (encoded) => {
      const reply = await harness.http.get(`${url}/${encoded}`, { bearer: connection.token });
      expect([400, 404]).toContain(reply.status);
    },
  );
});
