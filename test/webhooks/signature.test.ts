import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import type { Received } from "../support/receiver.ts";
import { people, person } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

// The library holds the timestamp against the real time.
const { harness, receiver } = await stageWebhooks({ clock: systemClock });

/** What arrives when somebody is added, with these secrets current at that time. */
async function deliverWith(
  secrets?: readonly string[],
): Promise<Received & { secret: string; clientId: string }> {
  const company = await harness.watchCompany(people(2), receiver.url);
  const found = await harness.services.clients.find(company.client.clientId);
  if (found && secrets) await harness.services.clients.update(found, { secrets });
  company.people = [...people(2), person(3, { first_name: "Zoë", last_name: "Ødegård 雪" })];
  await harness.services.webhooks.pollNow(company.tokenId);
  await harness.settle();
  expect(receiver.received).toHaveLength(1);
  return { ...receiver.last, secret: company.secret, clientId: company.client.clientId };
}

const plainHmac = (secret: string, ...parts: (string | Buffer)[]) =>
  parts.reduce((mac, part) => mac.update(part), createHmac("sha256", secret));
const standardKey = (secret: string): string => `whsec_${Buffer.from(secret).toString("base64")}`;

test("nothing is sent for a client none of whose secrets opens: anybody can sign without one", async () => {
  const company = await harness.watchCompany(people(2), receiver.url);
  await harness.database.query("update client_secrets set sealed = '\\x00' where client_id = $1", [
    company.client.clientId,
  ]);
  company.people = people(3);
  await harness.services.webhooks.pollNow(company.tokenId);
  await harness.settle();
  expect(await harness.deliveriesOf(company.client.clientId)).toHaveLength(1);
  expect(receiver.received).toEqual([]);
});

describe("the headers of the specification", () => {
  test("are these, byte for byte", async () => {
    const { headers, bytes, secret } = await deliverWith();
    expect(headers).toMatchObject({
      "x-service-api-signature": plainHmac(secret, bytes).digest("hex"),
      "x-service-api-origin": "webhooks-employees-webhook",
      "user-agent": "rollcall",
      "content-type": "application/json",
    });
    expect(headers["x-service-api-signature"]).toMatch(/^[0-9a-f]{64}$/);
  });

  test("are sent once each, with no compression and with the length of the body", async () => {
    const { headers, headerNames, bytes } = await deliverWith();
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers["content-length"]).toBe(String(bytes.length));
    const names = headerNames.map((name) => name.toLowerCase());
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test("the body is one JSON object of exactly three arrays, whose bytes are signed as they are", async () => {
    const { body, bytes } = await deliverWith();
    expect(Object.keys(body)).toEqual(["added", "removed", "updated"]);
    expect(Object.values(body).every(Array.isArray)).toBe(true);
    expect(body.added[0]).toMatchObject({ first_name: "Zoë", last_name: "Ødegård 雪" });
    expect(bytes.toString()).toContain("Ødegård 雪");
  });

  test("the request is a POST to the path and query of the address, with the token id of the connection", async () => {
    const company = await harness.watchCompany(people(2), `${receiver.url}/deep?tenant=a%20b&x=1`);
    company.people = people(3);
    await harness.services.webhooks.pollNow(company.tokenId);
    await harness.settle();
    expect(receiver.last).toMatchObject({
      method: "POST",
      path: "/hook/deep?tenant=a%20b&x=1",
      token: company.tokenId,
    });
  });
});

test("what the client calls the connection is a header, where it calls it something", async () => {
  for (const reference of ["customer 4711", null]) {
    const label = reference === null ? null : { reference, metadata: { plan: "team" } };
    const company = await harness.watchCompany(people(2), receiver.url, { label });
    company.people = people(3);
    await harness.services.webhooks.pollNow(company.tokenId);
    await harness.settle();
    expect(receiver.last.token).toBe(company.tokenId);
    expect(receiver.last.headers["x-service-api-reference"] ?? null).toBe(reference);
  }
});

describe("the headers of Standard Webhooks", () => {
  test("are taken by its own library, with the key that the command line prints", async () => {
    const { headers, bytes, body, secret } = await deliverWith();
    expect(
      new Webhook(standardKey(secret)).verify(bytes.toString(), headers as Record<string, string>),
    ).toEqual(body);
  });

  test("are an HMAC of id, timestamp and the bytes as they arrived", async () => {
    const { headers, bytes, secret } = await deliverWith();
    const {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signature,
    } = headers;
    expect(signature).toBe(
      `v1,${plainHmac(secret, `${String(id)}.${String(timestamp)}.`, bytes).digest("base64")}`,
    );
    expect(String(timestamp)).toMatch(/^\d{10}$/);
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60);
  });

  test.each(["body", "id", "timestamp"] as const)(
    "a changed %s is refused by the library",
    async (changed) => {
      const { headers, bytes, secret } = await deliverWith();
      const sent = { ...(headers as Record<string, string>) };
      if (changed === "id") sent["webhook-id"] = `${sent["webhook-id"]}0`;
      if (changed === "timestamp")
        sent["webhook-timestamp"] = String(Number(sent["webhook-timestamp"]) + 1);
      const text = changed === "body" ? bytes.toString().replace("Zoë", "Zoe") : bytes.toString();
      expect(() => new Webhook(standardKey(secret)).verify(text, sent)).toThrow(
        "No matching signature found",
      );
    },
  );
});

describe("while secrets are rotated", () => {
  const [first, second, third] = [
    mintCredential("cs", "dev"),
    "a-secret-that-the-client-chose-itself!",
    mintCredential("cs", "dev"),
  ];

  test("the first secret makes the signature of the specification, and each current one an entry of its own", async () => {
    const { headers, bytes } = await deliverWith([first, second, third]);
    expect(headers["x-service-api-signature"]).toBe(plainHmac(first, bytes).digest("hex"));
    const prefix = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.`;
    expect(String(headers["webhook-signature"]).split(" ")).toEqual(
      [first, second, third].map(
        (secret) => `v1,${plainHmac(secret, prefix, bytes).digest("base64")}`,
      ),
    );
  });

  test.each([first, second, third])(
    "a receiver that knows one of them alone takes it",
    async (known) => {
      const { headers, bytes, body } = await deliverWith([first, second, third]);
      expect(
        new Webhook(standardKey(known)).verify(bytes.toString(), headers as Record<string, string>),
      ).toEqual(body);
    },
  );

  test("a secret that is not current any more signs nothing", async () => {
    const { headers, bytes, secret } = await deliverWith([first]);
    expect(headers["x-service-api-signature"]).not.toBe(plainHmac(secret, bytes).digest("hex"));
    expect(() =>
      new Webhook(standardKey(secret)).verify(bytes.toString(), headers as Record<string, string>),
    ).toThrow("No matching signature found");
  });

  test("a retry is the same body under the same id, signed with the secrets of its own time", async () => {
    receiver.answerNext((response) => void response.writeHead(500).end());
    const { services } = harness;
    const { id, secret, clientId } = await deliverWith();
    await services.clients.update((await services.clients.find(clientId))!, {
      secrets: [first, secret],
    });
    await services.webhooks.replay(await services.webhooks.find(id));
    await harness.work();
    const [before, after] = receiver.received;
    expect(after?.id).toBe(before?.id);
    expect(after?.bytes.equals(before!.bytes)).toBe(true);
    expect(before?.headers["x-service-api-signature"]).toBe(
      plainHmac(secret, before!.bytes).digest("hex"),
    );
    expect(after?.headers["x-service-api-signature"]).toBe(
      plainHmac(first, before!.bytes).digest("hex"),
    );
  });
});
