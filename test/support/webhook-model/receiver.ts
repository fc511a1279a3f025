import { Readable } from "node:stream";
import { createHmac } from "node:crypto";
import { rebuild, type PublicEmployee, type WebhookBody } from "../receiver.ts";
import type { TestClock } from "../test-clock.ts";
import type { Journal } from "./journal.ts";
import { describeContent, describeRecord, type ModelCompany } from "./provider.ts";
import type { ReceiverMode } from "./steps.ts";

/** What the receiver stores for one company. */
interface Inbox {
  /** The bodies that it applied, in order. */
  processed: { id: string; body: WebhookBody }[];
  /** Bodies in the order in which they were first sent. */
  order: string[];
  newestAcknowledged: number;
}

interface PostOptions {
  headers: Record<string, string>;
  body: Buffer;
}

const takenInModes = new Set<ReceiverMode>(["ok", "slow", "resets", "errs-late", "answers-late"]);
const lostModes = new Set<ReceiverMode>(["down", "resets", "answers-late"]);
const flakyModes: readonly ReceiverMode[] = [
  "ok",
  "resets",
  "down",
  "errs-late",
  "error",
  "slow",
  "answers-late",
];
const statuses: Partial<Record<ReceiverMode, number>> = {
  ok: 200,
  slow: 204,
  error: 500,
  "errs-late": 500,
  busy: 429,
  gone: 410,
};

/** Takes the place of the network. It fails in every way and checks the rules of all requests. */
export class ModelReceiver {
  mode: ReceiverMode = "ok";
  /** The current secrets, the signing one first. */
  secrets: readonly string[] = [];
  /** Called before a request is answered. May wait. */
  beforeAnswer: () => Promise<void> = async () => undefined;
  readonly #clock: TestClock;
  readonly #journal: Journal;
  readonly #companies: readonly ModelCompany[];
  readonly #inboxes = new Map<ModelCompany, Inbox>();
  readonly #bytes = new Map<string, string>();
  #flakes = 0;

  constructor(clock: TestClock, journal: Journal, companies: readonly ModelCompany[]) {
    this.#clock = clock;
    this.#journal = journal;
    this.#companies = companies;
  }

  /** The answer of the sender's HTTP agent. */
  async receive({ headers, body }: PostOptions): Promise<unknown> {
    const company = this.#companies.find(
      ({ tokenId }) => tokenId === headers["x-service-api-token"],
    )!;
    const inbox = this.#inboxOf(company);
    const id = headers["webhook-id"] ?? "";
    this.#checkRules(company, inbox, { headers, body });
    await this.beforeAnswer();
    const mode = this.mode === "flaky" ? this.#flake() : this.mode;
    this.#journal.say(`company ${company.index} gets ${id.slice(-4)} ${summarize(body)}: ${mode}`);
    if (takenInModes.has(mode)) this.#takeIn(inbox, id, body);
    if (mode === "slow") this.#clock.advance(9);
    if (mode === "answers-late") this.#clock.advance(20);
    if (lostModes.has(mode))
      throw Object.assign(new Error("connection lost"), { code: "ECONNRESET" });
    const statusCode = statuses[mode] ?? 500;
    if (statusCode < 300)
      inbox.newestAcknowledged = Math.max(inbox.newestAcknowledged, inbox.order.indexOf(id));
    return {
      statusCode,
      headers: mode === "busy" ? { "retry-after": "900" } : {},
      body: Readable.from([]),
    };
  }

  /** When nothing is left to send, the bodies together have to give the provider's employees. */
  checkRebuilt(company: ModelCompany): void {
    const { truth, baseline = [], index } = company;
    const rebuilt = rebuild(baseline, this.#inboxOf(company).processed);
    const known = [...rebuilt].map(([id, record]) => `${id}=${describeRecord(record)}`).sort();
    const wanted = [...truth].map(([id, content]) => `${id}=${describeContent(content)}`).sort();
    const wrong = [
      ...known.filter((entry) => !wanted.includes(entry)).map((entry) => `has ${entry}`),
      ...wanted.filter((entry) => !known.includes(entry)).map((entry) => `lacks ${entry}`),
    ];
    if (wrong.length > 0)
      this.#journal.fail(
        `when nothing is left to send the receiver of company ${index} ${wrong.join(", ")}`,
      );
  }

  /** Checks the rules of every request, whatever its result. */
  #checkRules({ everLeft }: ModelCompany, { order }: Inbox, { headers, body }: PostOptions): void {
    const id = headers["webhook-id"] ?? "";
    const [first = ""] = this.secrets;
    if (
      headers["x-service-api-signature"] !== createHmac("sha256", first).update(body).digest("hex")
    )
      this.#journal.fail(`${id} is not signed with the first secret`);
    const entries = (headers["webhook-signature"] ?? "").split(" ");
    const expected = this.secrets.map(
      (secret) =>
        `v1,${createHmac("sha256", secret)
          .update(`${id}.${headers["webhook-timestamp"] ?? ""}.`)
          .update(body)
          .digest("base64")}`,
    );
    if (entries.join(" ") !== expected.join(" "))
      this.#journal.fail(`${id} is not signed once with each current secret`);
    const bytes = body.toString("latin1");
    if ((this.#bytes.get(id) ?? bytes) !== bytes)
      this.#journal.fail(`${id} came with other bytes than before`);
    this.#bytes.set(id, bytes);
    if (!order.includes(id)) order.push(id);
    const { removed } = JSON.parse(body.toString()) as WebhookBody;
    const falsely = removed.filter(({ remote_id: remoteId }) => !everLeft.has(remoteId));
    if (falsely.length > 0) {
      const ids = falsely.map(({ remote_id: remoteId }) => remoteId).join(", ");
      this.#journal.fail(`${id} removes ${ids}, who never left`);
    }
  }

  #takeIn({ processed, order, newestAcknowledged }: Inbox, id: string, body: Buffer): void {
    if (processed.some((each) => each.id === id)) return;
    if (order.indexOf(id) < newestAcknowledged)
      this.#journal.fail(`${id} is older than a body that was acknowledged`);
    processed.push({ id, body: JSON.parse(body.toString()) as WebhookBody });
  }

  #flake(): ReceiverMode {
    this.#flakes += 1;
    return flakyModes[(this.#flakes * 5) % flakyModes.length] ?? "ok";
  }

  #inboxOf(company: ModelCompany): Inbox {
    const inbox = this.#inboxes.get(company) ?? {
      processed: [],
      order: [],
      newestAcknowledged: -1,
    };
    this.#inboxes.set(company, inbox);
    return inbox;
  }
}

function summarize(body: Buffer): string {
  const { added, removed, updated } = JSON.parse(body.toString()) as WebhookBody;
  return [...signed("+", added), ...signed("-", removed), ...signed("~", updated)].join(" ");
}

function signed(sign: string, people: readonly PublicEmployee[]): string[] {
  return people.map((record) => `${sign}${record.remote_id}=${describeRecord(record)}`);
}
