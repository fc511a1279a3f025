import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import {
  defineProvider,
  defineReader,
  type ProviderContext,
  type ProviderMode,
  type Session,
} from "../../src/providers/contract.ts";
import { ProviderDown } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";

/**
 * A provider whose code does what must harm nobody but its own read. A service finds it by `PROVIDERS`. The user
 * name is the name of what its sign-in or its read does.
 */
const reads: Record<string, (context: ProviderContext) => AsyncGenerator<Raw[]>> = {
  /** A page a moment, for about three seconds. */
  slow: async function* slow() {
    for (let page = 0; page < 10; page += 1) {
      yield people(page, 5);
      await delay(300);
    }
  },
  small: async function* small() {
    yield people(0, 2);
  },
  /** Somebody whose name is the day. */
  dated: async function* dated({ clock }) {
    const day = clock.now().toISOString().slice(0, 10);
    yield people(0, 1).map((person) => ({ ...person, last_name: day }));
  },
  /** Page after page until it is ended. Each waits for the page before to be taken. */
  endless: async function* endless({ clock, signal }) {
    for (let page = 0; ; page += 1) {
      yield people(page, 1);
      await clock.sleep(20, signal);
    }
  },
  /** Waits for what never comes, and for no signal. */
  deaf: async function* deaf() {
    yield people(0, 1);
    await new Promise(() => undefined);
  },
  /** A list of about 30 MB that cannot be compressed. */
  large: async function* large() {
    for (let page = 0; page < 60; page += 1) yield people(page, 10, 52_000);
  },
  /** A list that grows without end. */
  hoard: async function* hoard() {
    for (let page = 0; ; page += 1) yield people(page, 50, 52_000);
  },
  /** Some hundred MB of objects, and no list. */
  bulky: async function* bulky() {
    const objects = JSON.parse(`[${"{},".repeat(2_000_000)}{}]`) as unknown[];
    yield people(0, objects.length > 0 ? 1 : 0);
    throw new ProviderDown("it is down");
  },
  /** 20 MB that become some hundred MB of objects. */
  braces: async function* braces() {
    yield JSON.parse(`[${"{},".repeat(6_666_666)}{}]`) as Raw[];
  },
  loop: async function* loop() {
    yield people(0, 1);
    for (;;) Math.sqrt(2);
  },
  buffers: async function* buffers() {
    const kept: Buffer[] = [];
    yield people(0, 1);
    for (;;) {
      kept.push(Buffer.alloc(4_000_000, 1));
      await delay(5);
    }
  },
  exit: async function* exit() {
    yield people(0, 1);
    process.exit(3);
  },
  /** Saves its session and waits to be ended. */
  saves: async function* saves(context) {
    context.saveSession({ user: "saves", cookie: "rotated" });
    yield people(0, 1);
    await delay(500);
    throw new ProviderDown("it is down");
  },
  /** Replaces its session with every request, as some servers do. */
  rotates: async function* rotates(context) {
    for (let cookie = 0; cookie < 100; cookie += 1) {
      context.saveSession({ user: "rotates", cookie });
      await delay(5);
    }
    yield people(0, 1);
  },
  "saves-and-loops": async function* savesAndLoops(context) {
    context.saveSession({ user: "saves-and-loops", cookie: "rotated" });
    yield people(0, 1);
    await delay(100);
    for (;;) Math.sqrt(2);
  },
  stray: async function* stray() {
    void Promise.reject(new TypeError("nobody handles this"));
    setTimeout(() => {
      throw new RangeError("nor this");
    }, 1);
    await delay(50);
    yield people(0, 2);
  },
  /** No generator but an async function. */
  promise: (async () => {
    throw new TypeError("nobody waits for this");
  }) as never,
  /** A pattern that goes back and forth for ever, over a text of a provider. */
  backtracking: async function* backtracking() {
    const isMatch = /^(?:a+)+$/.test(`${"a".repeat(50_000)}b`);
    yield people(0, isMatch ? 0 : 2);
  },
  prints: async function* prints() {
    process.stdout.write("FATAL ERROR: a secret\n");
    process.stderr.write("FATAL ERROR: a secret\n");
    yield people(0, 2);
    process.abort();
  },
};

const signIns: Record<string, () => void> = {
  "sign-in-loop": () => {
    for (;;) Math.sqrt(2);
  },
  "sign-in-exit": () => process.exit(3),
};

interface Raw {
  remote_id: string;
  first_name: string;
  last_name: string;
}

function people(page: number, count: number, noiseBytes = 0): Raw[] {
  return Array.from({ length: count }, (_, index) => ({
    remote_id: `${page}-${index}`,
    first_name: `Ann ${index}`,
    last_name: "Example",
    ...(noiseBytes > 0 && {
      custom_fields: { noise: randomBytes((noiseBytes * 3) / 4).toString("base64") },
    }),
  }));
}

const userOf = (session: Session): string => String(session["user"]);

const xhr: ProviderMode = {
  form: z.object({ username: formField({ title: "User name" }) }),
  login: async (context, { username = "" }) => {
    if (username === "sign-in-waits") await context.clock.sleep(60_000, context.signal);
    signIns[username]?.();
    return { session: { user: username } };
  },
  logOut: async (_context, session) => {
    if (userOf(session) !== "small") throw new ProviderDown("there is no such session");
  },
  check: async () => ({ unsupported: [] }),
  identity: async () => ({ name: "Ann", email: "ann@faulty.example", phone_number: null }),
  resources: {
    employees: defineReader<"employees", Raw>({
      fetch: (context, session) => reads[userOf(session)]!(context),
      map: (raw) => raw,
    }),
  },
};

// oxlint-disable-next-line import/no-default-export
export default defineProvider({ apiVersion: 1, name: "faulty", title: "Faulty", modes: { xhr } });
