import type { FastifyReply, FastifyRequest } from "fastify";
import { clientFields, type Client, type ClientChange } from "../../clients/index.ts";
import { ConflictingUpdate, InvalidRequest } from "../../model/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import { describeIssue } from "../../platform/plain-words.ts";
import {
  clientLabels,
  clientPage,
  clientsPage,
  endedClientPage,
  newClientPage,
  secretPage,
  type TypedClient,
} from "../pages/clients-page.ts";
import { consolePath } from "../pages/layout.ts";
import { formOf, textOf, type Form } from "./check-form.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import {
  change,
  doneOf,
  given,
  leadTo,
  pageSize,
  requireOperator,
  requireOwn,
  shownRoute,
  viewerOf,
} from "./show.ts";

const path = `${consolePath}/clients`;
const mostCounted = 1_000_000;

export function registerClientPages(app: HttpApp, dependencies: ConsoleDependencies): void {
  registerClientList(app, dependencies);
  registerOneClient(app, dependencies);
}

function registerClientList(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { clients } = dependencies;

  app.get(path, shownRoute, async (request, reply) => {
    const { clientId } = viewerOf(request);
    if (clientId !== undefined) return leadTo(reply, `${path}/${clientId}`);
    const before = given(request.query, "before");
    const areEnded = given(request.query, "state") === "ended";
    const found = await clients.page({ before, limit: pageSize + 1, areEnded });
    const listed = found.slice(0, pageSize);
    const next = found.length > pageSize ? listed.at(-1)?.clientId : undefined;
    return sendPage(reply, clientsPage(viewerOf(request), { listed, areEnded, next }));
  });

  app.get(`${path}/new`, shownRoute, async (request, reply) =>
    sendPage(reply, newClientPage(requireOperator(request), { values: {} })),
  );

  app.post(path, shownRoute, async (request, reply) => {
    const viewer = requireOperator(request);
    const form = formOf(request);
    const checked = checkClient(dependencies, form);
    if ("problem" in checked) {
      const typed = { values: valuesOf(form), problem: checked.problem };
      return sendPage(reply, newClientPage(viewer, typed), 400);
    }
    const { name = "", redirectUris = [] } = checked.change;
    const requirePkce = isOn(form, "require_pkce");
    const { client, secret } = await change(dependencies, request, { did: "client.made" }, () =>
      clients.create({ name, redirectUris }, requirePkce ? { requirePkce } : {}),
    );
    return sendPage(reply, secretPage(viewer, client, secret));
  });
}

function registerOneClient(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { clients, connections, webhooks, sessions } = dependencies;

  const requireClient = async (
    request: FastifyRequest,
    find = (id: string): Promise<Client | undefined> => clients.find(id),
  ): Promise<Client> => {
    const id = given(request.params, "client_id") ?? "";
    const client = await find(id);
    requireOwn(viewerOf(request), client?.clientId, id);
    return client as Client;
  };
  const countConnections = async ({ clientId }: Client): Promise<number> =>
    await connections.listing.count({ clientId }, mostCounted);
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    client: Client,
    typed?: TypedClient,
  ): Promise<FastifyReply> => {
    const statuses = await webhooks.statusesOf(client.clientId);
    const count = await countConnections(client);
    const shown = { client, statuses, count, done: doneOf(request), typed };
    return sendPage(reply, clientPage(viewerOf(request), shown), typed ? 400 : 200);
  };

  app.get(`${path}/:client_id`, shownRoute, async (request, reply) => {
    const client = await requireClient(request, (id) => clients.findAlsoEnded(id));
    if (!client.endedAt) return await show(request, reply, client);
    const shown = { client, count: await countConnections(client), done: doneOf(request) };
    return sendPage(reply, endedClientPage(viewerOf(request), shown));
  });

  app.post(`${path}/:client_id`, shownRoute, async (request, reply) => {
    const client = await requireClient(request);
    const problem = await saveClient(dependencies, request, client);
    if (problem === undefined) return leadTo(reply, `${path}/${client.clientId}`, "saved");
    return await show(request, reply, client, { values: valuesOf(formOf(request)), problem });
  });

  app.post(`${path}/:client_id/rotate`, shownRoute, async (request, reply) => {
    const client = await requireClient(request);
    const { clientId } = client;
    const { secrets, newSecret } = clients.rotateSecrets(client);
    const changed = await change(dependencies, request, { did: "secret.made", clientId }, () =>
      clients.update(client, { secrets }),
    );
    if (request.consoleSession !== undefined)
      await sessions.followSecrets(request.consoleSession, changed);
    return sendPage(reply, secretPage(viewerOf(request), changed, newSecret));
  });

  app.post(`${path}/:client_id/end`, shownRoute, async (request, reply) => {
    requireOperator(request);
    const { clientId } = await requireClient(request, (id) => clients.findAlsoEnded(id));
    await change(dependencies, request, { did: "client.ended", clientId }, () =>
      clients.ends.begin(clientId),
    );
    return leadTo(reply, `${path}/${clientId}`, "clientEnded");
  });
}

/** Says why nothing was saved; undefined when it was. */
async function saveClient(
  dependencies: ConsoleDependencies,
  request: FastifyRequest,
  client: Client,
): Promise<string | undefined> {
  const form = formOf(request);
  if (textOf(form, "revision") !== String(client.revision))
    return "Somebody changed the client meanwhile. Load the page again.";
  const checked = checkClient(dependencies, form);
  if ("problem" in checked) return checked.problem;
  const isOperator = viewerOf(request).clientId === undefined;
  const requirePkce = isOperator ? isOn(form, "require_pkce") : undefined;
  const wanted = onlyChanges(client, { ...checked.change, requirePkce });
  const { clientId } = client;
  try {
    await change(dependencies, request, { did: "client.changed", clientId }, () =>
      dependencies.clients.update(client, wanted),
    );
    return undefined;
  } catch (error) {
    if (error instanceof InvalidRequest) return error.validationError;
    if (error instanceof ConflictingUpdate) return error.message;
    throw error;
  }
}

/** The fields of the form that there are, checked as the API checks them. */
function checkClient(
  { clients }: ConsoleDependencies,
  form: Form,
): { change: ClientChange } | { problem: string } {
  const fields = clientFields(clients.addressRules);
  const orNone = (name: string): string | null | undefined =>
    form[name] === undefined ? undefined : textOf(form, name) || null;
  const typed = {
    name: textOf(form, "name"),
    redirect_uris: textOf(form, "redirect_uris")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    webhook_uri: orNone("webhook_uri"),
    event_uri: orNone("event_uri"),
    purpose: orNone("purpose"),
    privacy_url: orNone("privacy_url"),
    support_url: orNone("support_url"),
    brand_color: orNone("brand_color"),
  };
  for (const [name, value] of Object.entries(typed)) {
    if (value === undefined) continue;
    const checked = fields[name as keyof typeof typed].safeParse(value, { error: describeIssue });
    if (!checked.success)
      return {
        problem: `${clientLabels[name as keyof typeof typed]}: ${checked.error.issues[0]?.message}.`,
      };
    // As the API keeps it.
    Object.assign(typed, { [name]: checked.data });
  }
  return {
    change: {
      name: typed.name,
      redirectUris: typed.redirect_uris,
      webhookUri: typed.webhook_uri,
      eventUri: typed.event_uri,
      purpose: typed.purpose,
      privacyUrl: typed.privacy_url,
      supportUrl: typed.support_url,
      brandColor: typed.brand_color,
      allowSandbox: isOn(form, "allow_sandbox"),
    },
  };
}

/** To set an address anew begins its webhooks anew, so what stays is left out. */
function onlyChanges(client: Client, wanted: ClientChange): ClientChange {
  const before: Readonly<Record<string, unknown>> = { ...client };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) =>
        value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name]),
    ),
  );
}

function isOn(form: Form, name: string): boolean {
  return textOf(form, name) === "on";
}

function valuesOf(form: Form): Record<string, string> {
  return Object.fromEntries(Object.keys(form).map((name) => [name, textOf(form, name)]));
}
