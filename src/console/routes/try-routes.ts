import type { FastifyRequest } from "fastify";
import type { Client } from "../../clients/index.ts";
import { InvalidRequest, scopesOfMode } from "../../model/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import { consolePath } from "../pages/layout.ts";
import { triedPage, triedScenarios, tryPage } from "../pages/try-page.ts";
import { formOf, textOf } from "./check-form.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import { change, given, offerClients, requireOwn, shownRoute, viewerOf } from "./show.ts";

const path = `${consolePath}/try`;
const mode = "xhr";
/** The employees of the sandbox are read within a moment. */
const firstReadMs = 10_000;

/** A connection of the sandbox, in three clicks, for whoever has not connected anything yet. */
export function registerTryPages(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { connections, sandbox, publicUrl } = dependencies;

  app.get(path, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const client = given(request.query, "client");
    const clients = await offerClients(viewer, dependencies, client);
    return sendPage(reply, tryPage(viewer, clients, client));
  });

  app.post(path, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const { clientId, webhookUri } = await requireTrying(dependencies, request);
    const scenario = textOf(formOf(request), "scenario");
    if (!triedScenarios.some(({ value }) => value === scenario))
      throw new InvalidRequest("Choose one of what is listed.");
    const made = await change(dependencies, request, { did: "sandbox.connected", clientId }, () =>
      sandbox.connect(clientId, { scenario, mode, scopes: scopesOfMode(mode) }),
    );
    const { id: tokenId, accessToken } = made;
    const connection = await connections.find({ tokenId });
    const employees = connection && (await readEmployees(dependencies, connection));
    const hasWebhooks = webhookUri !== null;
    const tried = { tokenId, accessToken, clientId, publicUrl, employees, hasWebhooks };
    return sendPage(reply, triedPage(viewer, tried));
  });
}

/** The client that tries it: the developer's own, or the one that the operator chose. */
async function requireTrying(
  { clients }: ConsoleDependencies,
  request: FastifyRequest,
): Promise<Client> {
  const viewer = viewerOf(request);
  const id = viewer.clientId ?? textOf(formOf(request), "client");
  const client = await clients.find(id);
  requireOwn(viewer, client?.clientId, id);
  if (!client || !clients.maySimulate(client))
    throw new InvalidRequest(
      "This client may not connect the sandbox here. Switch that on in its settings, or try it in dev.",
    );
  return client;
}

/** How many there are; undefined when they are not read in time, or cannot be. */
async function readEmployees(
  { sync }: ConsoleDependencies,
  connection: NonNullable<Awaited<ReturnType<ConsoleDependencies["connections"]["find"]>>>,
): Promise<number | undefined> {
  const { id: connectionId, authFailure } = connection;
  const reading = await sync.read({
    connectionId,
    resource: "employees",
    parameters: "",
    authFailure,
    snapshot: undefined,
    maxAgeSeconds: undefined,
  });
  if (reading.kind === "pending")
    await sync.waitUntilSettled(reading.readId, firstReadMs, AbortSignal.timeout(firstReadMs));
  const lists = await sync.findFilled(connectionId);
  return lists.find(({ resource }) => resource === "employees")?.filled?.records;
}
