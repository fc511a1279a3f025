import { describe, expect, test } from "vitest";
import {
  isBodySigned,
  memorySeen,
  receiveWebhook,
  signWebhook,
  verifyWebhook,
  type Message,
  type Webhook,
} from "../../../packages/client-typescript/src/index.ts";
import type { TokenId } from "../../../src/model/index.ts";
import { signedHeaders } from "../../../src/webhooks/index.ts";

const secret = "rc_cs_dev_first";
const older = "rc_cs_dev_older";
const change = { added: [{ id: "e1" }], removed: [], updated: [] };
const event = {
  type: "data.ready",
  timestamp: "2026-11-26T10:00:00.000Z",
  data: { token: "token-1", resource: "employees", parameters: {}, version: "v1" },
};

/** As the service signs and sends it. */
function sent(said: object, { at = new Date(), secrets = [secret], id = "id-1" } = {}) {
  const body = Buffer.from(JSON.stringify(said));
  const tokenId = "token-1" as TokenId;
  return { headers: signedHeaders({ id, tokenId, reference: null, body, secrets, at }), body };
}

const without = ({ headers, body }: ReturnType<typeof sent>, name: string): Message => ({
  headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)),
  body,
});
const codeOf = async (message: Message, options = { secret }): Promise<unknown> =>
  await verifyWebhook(message, options).then(
    () => "verified",
    (error: unknown) => (error as { code?: string }).code,
  );

describe("a webhook that the service signed", () => {
  test("is one of changed employees, by its body and not by a header", async () => {
    const at = new Date();
    const { headers, body } = sent(change, { at });
    const webhook = await verifyWebhook(
      { headers: { ...headers, "x-service-api-origin": "events" }, body },
      { secret },
    );
    expect(webhook).toEqual({
      id: "id-1",
      type: "employees.changed",
      timestamp: new Date(Math.floor(at.getTime() / 1_000) * 1_000).toISOString(),
      data: change,
      token: "token-1",
    });
  });

  test("is an event, whose type tells what its data holds", async () => {
    const webhook = await verifyWebhook(sent(event), { secret });
    expect(webhook).toEqual({ ...event, id: "id-1", token: "token-1" });
    // The compiler knows each: none of these members is there without a look at the type.
    const version = webhook.type === "data.ready" ? webhook.data.version : undefined;
    expect(version).toBe("v1");
  });

  test("is one in each form in which a platform gives headers and bytes", async () => {
    const { headers, body } = sent(change);
    const request = new Request("https://app.test", { method: "POST", headers, body });
    const forms: Message[] = [
      { headers: request.headers, body: await request.arrayBuffer() },
      { headers, body: body.toString() },
      { headers, body: new Uint8Array(body) },
    ];
    for (const form of forms) expect(await codeOf(form)).toBe("verified");
  });

  test("is one by each secret that is current, while they are changed", async () => {
    const message = sent(change, { secrets: [secret, older] });
    expect(await codeOf(message, { secret: older })).toBe("verified");
    expect(await verifyWebhook(sent(change), { secret: [older, secret] })).toBeTruthy();
  });
});

describe("a webhook is refused", () => {
  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
    "without %s, whatever the other signature says",
    async (name) => {
      const message = without(sent(change), name);
      expect(await isBodySigned(message, { secret })).toBe(true);
      expect(await codeOf(message)).toBe("missing_header");
    },
  );

  test("when a byte, the id, the time or the secret is another", async () => {
    const { headers, body } = sent(change);
    const changed = Buffer.from(body);
    changed[changed.length - 2]! ^= 1;
    const later = String(Number(headers["webhook-timestamp"]) + 1);
    const forged: Message[] = [
      { headers, body: changed },
      { headers: { ...headers, "webhook-id": "id-2" }, body },
      { headers: { ...headers, "webhook-timestamp": later }, body },
      { headers: { ...headers, "webhook-signature": "v1,AAAA" }, body },
      { headers: { ...headers, "webhook-signature": "v1,?? v2,x v1" }, body },
      sent(change, { secrets: [older] }),
    ];
    for (const message of forged) expect(await codeOf(message)).toBe("wrong_signature");
  });

  test("when it is older or newer than the tolerance", async () => {
    const at = (seconds: number) => sent(change, { at: new Date(Date.now() + seconds * 1_000) });
    for (const seconds of [-302, 302]) expect(await codeOf(at(seconds))).toBe("wrong_time");
    for (const seconds of [-298, 298]) expect(await codeOf(at(seconds))).toBe("verified");
    const options = { secret, toleranceSeconds: 10 };
    expect(await codeOf(at(-12), options)).toBe("wrong_time");
    const { headers, body } = sent(change);
    const never = { headers: { ...headers, "webhook-timestamp": "now" }, body };
    expect(await codeOf(never)).toBe("wrong_time");
  });

  test("when it says nothing that is known", async () => {
    for (const said of [{ added: [] }, []]) expect(await codeOf(sent(said))).toBe("wrong_body");
  });

  test("with a fault of the program when the secret is empty, by which anybody can sign", async () => {
    await expect(verifyWebhook(sent(change), { secret: "" })).rejects.toThrow("is empty");
  });
});

const receiver = () => {
  const taken: Webhook[] = [];
  const options = { secret, seen: memorySeen() };
  return {
    taken,
    receive: (message: Message) =>
      receiveWebhook(message, options, (webhook) => void taken.push(webhook)),
  };
};

const failToTake = () => {
  throw new Error("the queue is away");
};

describe("receiving", () => {
  test("works on a webhook once, however often it comes", async () => {
    const { taken, receive } = receiver();
    expect(await receive(sent(change))).toBe(204);
    expect(await receive(sent(change, { at: new Date(Date.now() + 5_000) }))).toBe(204);
    expect(await receive(sent(change, { id: "id-2" }))).toBe(204);
    expect(taken.map(({ id }) => id)).toEqual(["id-1", "id-2"]);
  });

  test("answers 401 to what the service did not sign, and remembers nothing of it", async () => {
    const { taken, receive } = receiver();
    expect(await receive(sent(change, { secrets: [older] }))).toBe(401);
    expect(await receive(sent(change))).toBe(204);
    expect(taken).toHaveLength(1);
  });

  test("takes a webhook again that was not worked on", async () => {
    const options = { secret, seen: memorySeen() };
    await expect(receiveWebhook(sent(change), options, failToTake)).rejects.toThrow(
      "the queue is away",
    );
    const taken: string[] = [];
    await receiveWebhook(sent(change), options, ({ id }) => taken.push(id));
    expect(taken).toEqual(["id-1"]);
  });

  test("takes a webhook again whose work was killed, and one whose slow work fails in the end", async () => {
    const seen = memorySeen();
    const [begun, work] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const unended = receiveWebhook(sent(change), { secret, seen }, () => {
      begun.resolve();
      return work.promise;
    });
    await begun.promise;
    const taken: string[] = [];
    const receive = () =>
      receiveWebhook(sent(change), { secret, seen }, ({ id }) => taken.push(id));
    expect(await receive()).toBe(204);
    expect(taken).toEqual(["id-1"]);
    work.reject(new Error("the queue is away"));
    await expect(unended).rejects.toThrow("the queue is away");
    // The work of the second attempt is done, whatever became of the first.
    expect(await receive()).toBe(204);
    expect(taken).toEqual(["id-1"]);
  });

  test("in memory forgets the oldest when there are too many", async () => {
    const seen = memorySeen(2);
    for (const id of ["a", "b", "b", "c"]) await seen.add(id);
    const known: boolean[] = [];
    for (const id of ["a", "b", "c"]) known.push(await seen.has(id));
    expect(known).toEqual([false, true, true]);
  });
});

describe("the signature over the body alone", () => {
  test("is right for the first secret, and for no other body", async () => {
    const message = sent(change, { secrets: [secret, older] });
    expect(await isBodySigned(message, { secret: [older, secret] })).toBe(true);
    expect(await isBodySigned(message, { secret: older })).toBe(false);
    expect(await isBodySigned({ ...message, body: "{}" }, { secret })).toBe(false);
    expect(await isBodySigned(without(message, "x-service-api-signature"), { secret })).toBe(false);
  });
});

test("a body of a test is signed as the service signs it", async () => {
  const at = new Date();
  const { headers, body } = sent(change, { at });
  const { "user-agent": _sender, ...expected } = headers;
  expect(await signWebhook({ id: "id-1", body, token: "token-1" }, { secret, at })).toEqual(
    expected,
  );
  const signed = await signWebhook({ id: "id-1", body: JSON.stringify(event) }, { secret });
  expect(await codeOf({ headers: signed, body: JSON.stringify(event) })).toBe("verified");
});
