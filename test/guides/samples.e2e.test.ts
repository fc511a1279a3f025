import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sandboxControls } from "../../src/providers/index.ts";
import { startDocumentedService, type DocumentedService } from "../support/documented-service.ts";
import { runSample, textOfMarkup, type SampleLanguage } from "../support/guide-code.ts";
import { Receiver } from "../support/receiver.ts";
import { untilTrue } from "../support/until-true.ts";

interface DocumentedOperation {
  address: string;
  /** `GET /providers` */
  name: string;
  samples: Record<SampleLanguage, string>;
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython)
  process.stdout.write(
    "The samples in Python are left out: there is no python3 on this machine.\n",
  );
const atOnce = 3;

let service: DocumentedService;
let receiver: Receiver;
let operations: DocumentedOperation[];
let variablesFor: (operation: DocumentedOperation) => Promise<Record<string, string>>;

beforeAll(async () => {
  service = await startDocumentedService();
  receiver = await Receiver.start();
  operations = await readOperations();
  variablesFor = await prepareVariables();
}, 240_000);
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const open = async (address: string): Promise<string> =>
  (await service.http.get(address)).bytes.toString();

async function readOperations(): Promise<DocumentedOperation[]> {
  const listed = (await open("/docs/reference")).match(/"\/docs\/reference\/[^"]+"/g) ?? [];
  const addresses = [...new Set(listed)].map((quoted) => quoted.slice(1, -1));
  return await Promise.all(
    addresses.map(async (address) => {
      const page = await open(address);
      const [, endpoint = ""] = /<p class="endpoint">([\s\S]*?)<\/p>/.exec(page) ?? [];
      const samples = [
        ...page.matchAll(/<pre [^>]*aria-label="Sample in (\w+)"[^>]*><code>([\s\S]*?)<\/code>/g),
      ].map(([, language = "", code = ""]) => [language, textOfMarkup(code)]);
      return {
        address,
        name: endpoint
          .replaceAll(/<[^>]*>/g, " ")
          .trim()
          .replaceAll(/\s+/g, " "),
        samples: Object.fromEntries(samples) as Record<SampleLanguage, string>,
      };
    }),
  );
}

/** What the samples of an operation read: credentials of its mode, and ids that exist. */
async function prepareVariables(): Promise<typeof variablesFor> {
  const owner = await service.createOwner();
  const [xhr, official] = [
    await service.connectAs(owner),
    await service.connectAs(owner, "official"),
  ];
  // It changes who is employed, so the ids are read afterwards.
  const delivery = await makeDelivery(owner, xhr.tokenId);
  const first = async (path: string, bearer: string): Promise<string> => {
    const headers = { prefer: "wait=30" };
    const { body } = await service.http.get(path, { bearer, headers });
    return (body as { id: string }[])[0]?.id ?? "";
  };
  const ended = await service.connectAs(owner);
  await service.http.post("/2023-03-01/management/disconnect", { bearer: ended.token });
  const range = "start_date=2026-01-01&end_date=2026-01-31";
  const ids = {
    xhr: {
      TOKEN: xhr.token,
      EMPLOYEE_ID: await first("/2023-03-01/xhr/employees", xhr.token),
      PAYRUN_ID: await first(`/2023-03-01/xhr/payruns?${range}`, xhr.token),
    },
    official: {
      TOKEN: official.token,
      EMPLOYEE_ID: await first("/2023-03-01/official/employees", official.token),
    },
  };
  return async ({ name }) => {
    const changing = /^POST .*\/(client|token|disconnect)$/.exec(name)?.[1];
    const own = changing ? await service.createOwner() : owner;
    return {
      ...service.credentialsOf(own),
      ...(name.includes("/official/") ? ids.official : ids.xhr),
      DELIVERY_ID: delivery,
      TOKEN_ID: name.includes("/receipt") ? ended.tokenId : xhr.tokenId,
      ...(changing === "token" && { CODE: await service.codeFor(own) }),
      ...(changing === "disconnect" && { TOKEN: (await service.connectAs(own)).token }),
      ...(name.includes("/sandbox/") && {
        TOKEN_ID: (await service.connectAs(owner)).tokenId,
        CODE: "reauthentication_required",
      }),
    };
  };
}

async function makeDelivery(
  { client }: Awaited<ReturnType<DocumentedService["createOwner"]>>,
  token: string,
): Promise<string> {
  const { clients, connections, webhooks } = service.services;
  const tokenId = token as Parameters<typeof connections.loadByToken>[0];
  const poll = async (): Promise<void> => {
    await untilTrue("the connection is polled", async () => {
      const [id] = await webhooks.pollNow(tokenId);
      if (!id) return false;
      await untilTrue("the poll ends", async () => (await webhooks.findPoll(id))?.state === "idle");
      return true;
    });
  };
  await clients.update(client, { webhookUri: receiver.url });
  await poll();
  const connection = await connections.loadByToken(tokenId);
  if (connection)
    await connections.saveSession(connection, sandboxControls.advance(connection.session));
  await poll();
  await untilTrue("there is a webhook", () => Promise.resolve(receiver.received.length > 0));
  return receiver.last.id;
}

describe.each<[SampleLanguage, boolean]>([
  ["curl", true],
  ["TypeScript", true],
  ["Python", hasPython],
])("the samples in %s", (language, isThere) => {
  test.runIf(isThere)("of every operation work as they are", async () => {
    const failed: unknown[] = [];
    const waiting = [...operations];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { name, samples } = next;
        const env = await variablesFor(next);
        const ended = await runSample(language, samples[language], { folder: service.folder, env });
        if (ended.code !== 0 || ended.output.trim() === "") failed.push({ name, ...ended });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    expect(failed).toEqual([]);
  });
});

test("every operation of the description has a page, with a sample in each language", async () => {
  const { paths } = (await service.http.get("/openapi.json")).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.map(({ name }) => name).sort()).toEqual(described.sort());
  for (const { samples } of operations)
    expect(Object.keys(samples)).toEqual(["curl", "TypeScript", "Python"]);
});

test("a sample that does not work is found", async () => {
  const env = { TOKEN: "rc_at_dev_wrong" };
  const { samples } = operations.find(({ name }) => name.endsWith("/xhr/company"))!;
  for (const language of ["curl", "TypeScript"] as const)
    expect(
      (await runSample(language, samples[language], { folder: service.folder, env })).code,
    ).not.toBe(0);
});
