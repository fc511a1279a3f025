import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Checkable } from "../providers/index.ts";
import { carries } from "./carried-values.ts";
import type { CheckDefinition } from "./check.ts";
import { expectFailure, expectThat } from "./expect-failure.ts";
import { listSecrets } from "./secret-values.ts";
import type { Trial } from "./trial.ts";

const hasNoProbe = ({ adapter }: Checkable): string | undefined =>
  adapter.origin?.probe ? undefined : "it has no `origin.probe`";

export const probeChecks: readonly CheckDefinition[] = [
  {
    name: "probe",
    title: "the system is looked for before a secret is sent, and without one",
    scenario: "usual",
    leftOutFor: hasNoProbe,
    run: async (trial, { subject }) => {
      // A probe that had remembered something would send it the second time.
      await trial.signIn();
      await trial.signIn();
      const probes = trial.watch.requests.filter(({ purpose }) => purpose === "probe");
      expectThat(probes.length > 0, "`origin.probe` asks nothing, so it finds any address right");
      for (const { name, value } of listSecrets(subject, trial.fake.formValues))
        expectThat(
          !probes.some(({ request }) => carries([request], value)),
          `\`origin.probe\` sends the form's ${name}, to a server of which nothing is known yet`,
        );
    },
  },
  {
    name: "other-system",
    title: "another system at the address is an error at its field",
    scenario: "usual",
    leftOutFor: hasNoProbe,
    run: async (trial) => {
      for (const [answer, listener] of otherSystems) await expectOther(trial, answer, listener);
    },
  },
];

/** What answers at addresses that somebody has mistyped. */
const otherSystems: readonly [string, RequestListener][] = [
  ["with a page", (_request, response) => void response.end("<h1>Welcome</h1>")],
  [
    "that there is no such page",
    (_request, response) => void response.writeHead(404).end("<h1>Not found</h1>"),
  ],
  [
    "with an empty object in JSON",
    (_request, response) => void response.setHeader("content-type", "application/json").end("{}"),
  ],
  [
    "with the request itself",
    (request, response) => {
      response.setHeader("content-type", request.headers["content-type"] ?? "text/plain");
      request.pipe(response);
    },
  ],
  [
    "with an address elsewhere",
    (_request, response) =>
      void response.writeHead(302, { location: "https://elsewhere.invalid/" }).end(),
  ],
];

async function expectOther(trial: Trial, answer: string, listener: RequestListener): Promise<void> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    listener(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { baseUrl } = trial.watch;
  trial.watch.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const what = `the probe of a server that answers ${answer}`;
    const failure = await expectFailure(what, () => trial.probe(), "field");
    const field = trial.mode.origin?.field ?? "";
    expectThat(
      failure.kind === "field" && failure.field === field,
      `${what} is no error at the field ${field}`,
    );
  } finally {
    trial.watch.baseUrl = baseUrl;
    server.closeAllConnections();
    server.close();
  }
}
