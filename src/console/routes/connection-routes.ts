import type { FastifyRequest } from "fastify";
import type { ListedConnection } from "../../connections/index.ts";
import { createReauthenticationLink } from "../../connect/index.ts";
import {
  hasDates,
  InvalidRequest,
  resource as resourceName,
  resourcesOfScopes,
  NotFound,
  type ClientId,
  type Resource,
  type TokenId,
} from "../../model/index.ts";
import type { HttpApp } from "../../platform/http/index.ts";
import { connectionPage, linkMadePage } from "../pages/connection-page.ts";
import {
  connectionsPage,
  isListedState,
  type ConnectionSearch,
} from "../pages/connections-page.ts";
import { consolePath } from "../pages/layout.ts";
import type { Choice } from "../pages/pieces.ts";
import type { Viewer } from "../viewer.ts";
import { formOf, textOf } from "./check-form.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";
import { sendPage } from "./page-scope.ts";
import {
  change,
  doneOf,
  findNames,
  given,
  isUuid,
  leadTo,
  mostOffered,
  offerClients,
  pageSize,
  requireOwn,
  requireUuid,
  shownRoute,
  viewerOf,
} from "./show.ts";

const path = `${consolePath}/connections`;
const mostOfTimeline = 50;
const mostOfConnection = 20;

export function registerConnectionPages(app: HttpApp, dependencies: ConsoleDependencies): void {
  app.get(path, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const search = searchOf(request);
    const before = given(request.query, "before");
    const clients = await offerClients(viewer, dependencies, search.client);
    const { listed, next, problem } = await findConnections(dependencies, viewer, {
      search,
      before,
      clients,
    });
    const [labels, names] = await Promise.all([
      dependencies.connections.labels.ofConnections(listed.map(({ id }) => id)),
      findNames(dependencies, listed),
    ]);
    const page = {
      found: listed.map((each) => ({ ...each, reference: labels.get(each.id)?.reference ?? null })),
      search,
      next,
      problem,
      providers: dependencies.registry
        .list()
        .map(({ name, title }) => ({ value: name, label: title })),
      clients,
    };
    return sendPage(reply, connectionsPage(viewer, page, names), problem === undefined ? 200 : 400);
  });

  app.get(`${path}/:token_id`, shownRoute, async (request, reply) => {
    const viewer = viewerOf(request);
    const { tokenId, clientId } = await requireConnection(dependencies, request);
    const shown = await findShown(dependencies, clientId, tokenId);
    return sendPage(reply, connectionPage(viewer, shown, doneOf(request)));
  });

  registerChanges(app, dependencies);
}

function registerChanges(app: HttpApp, dependencies: ConsoleDependencies): void {
  const { sync, tokens, connections, clients, sandbox } = dependencies;

  app.post(`${path}/:token_id/read`, shownRoute, async (request, reply) => {
    const { tokenId, clientId } = await requireConnection(dependencies, request);
    const connection = await connections.find({ tokenId });
    if (!connection) throw new NotFound(tokenId, "The token was disconnected.");
    const wanted = resourceName.safeParse(textOf(formOf(request), "resource"));
    if (!wanted.success || !listReadable(connection.scopes).includes(wanted.data))
      throw new InvalidRequest("Choose one of the resources that the token covers.");
    await change(dependencies, request, { did: "read.requested", clientId, tokenId }, () =>
      sync.read({
        connectionId: connection.id,
        resource: wanted.data,
        parameters: "",
        authFailure: connection.authFailure,
        snapshot: undefined,
        maxAgeSeconds: 0,
      }),
    );
    return leadTo(reply, `${path}/${tokenId}`, "read");
  });

  app.post(`${path}/:token_id/link`, shownRoute, async (request, reply) => {
    const { tokenId, clientId } = await requireConnection(dependencies, request);
    const client = await clients.find(clientId);
    if (!client) throw new NotFound(tokenId, "The client is not used.");
    const { credential, expiresAt } = await change(
      dependencies,
      request,
      { did: "link.made", clientId, tokenId },
      () => createReauthenticationLink(dependencies, client, { tokenId, mayChangeAccount: false }),
    );
    const url = `${dependencies.publicUrl}/connect?session=${credential}`;
    return sendPage(reply, linkMadePage(viewerOf(request), { url, expiresAt, tokenId }));
  });

  app.post(`${path}/:token_id/webhook`, shownRoute, async (request, reply) => {
    const { tokenId, clientId } = await requireConnection(dependencies, request);
    const connection = await sandbox.find(tokenId, clientId);
    const isSent = await change(
      dependencies,
      request,
      { did: "webhook.tried", clientId, tokenId },
      () => sandbox.sendWebhook(connection),
    );
    return leadTo(reply, `${path}/${tokenId}`, isSent ? "webhook" : "firstPoll");
  });

  app.post(`${path}/:token_id/disconnect`, shownRoute, async (request, reply) => {
    const { tokenId, clientId } = await requireConnection(dependencies, request);
    await tokens.refuseShared(clientId);
    const by = viewerOf(request).clientId === undefined ? "operator" : "client";
    await change(dependencies, request, { did: "token.disconnected", clientId, tokenId }, () =>
      tokens.disconnectById(tokenId, by),
    );
    return leadTo(reply, `${path}/${tokenId}`, "disconnected");
  });
}

/** Throws NotFound for the token of a client that the viewer may not see. */
async function requireConnection(
  { tokens }: ConsoleDependencies,
  request: FastifyRequest,
): Promise<{ tokenId: TokenId; clientId: ClientId }> {
  const viewer = viewerOf(request);
  const tokenId = requireUuid(given(request.params, "token_id"));
  const owner = viewer.clientId ?? (await tokens.ownerOf(tokenId));
  const clientId = requireOwn(viewer, owner, tokenId);
  // It proves whose the token is, and throws NotFound for one of another client.
  await tokens.describe(clientId, tokenId);
  return { tokenId, clientId };
}

async function findShown(
  { tokens, connections, clients, registry, events, webhooks, reads, sync }: ConsoleDependencies,
  clientId: ClientId,
  tokenId: TokenId,
) {
  const [state, connection, client] = await Promise.all([
    tokens.describe(clientId, tokenId),
    connections.find({ tokenId }),
    clients.find(clientId),
  ]);
  const [history, deliveries, read, lists] = connection
    ? await Promise.all([
        events.ofConnection(connection.id, mostOfTimeline),
        webhooks.lists.ofConnection(connection.id, mostOfConnection),
        reads.lists.ofConnection(connection.id, mostOfConnection),
        sync.findFilled(connection.id),
      ])
    : [[], [], [], []];
  const declared = registry.findMode(state.provider, state.mode)?.resources;
  return {
    clientId,
    clientName: client?.name,
    system: registry.find(state.provider)?.title ?? state.provider,
    isSimulated: state.provider === "sandbox",
    isShared: await clients.isSharedSandbox(clientId),
    state,
    history,
    deliveries,
    reads: read,
    readable: connection ? listReadable(connection.scopes) : [],
    filled: new Map(
      lists.map((list) => {
        const neverGiven = declared?.[list.resource]?.neverGiven ?? [];
        return [list.resource, { list, neverGiven }];
      }),
    ),
  };
}

/** Without days and without a pay run to name. */
function listReadable(scopes: ListedConnection["scopes"]): Resource[] {
  return resourcesOfScopes(scopes).filter(
    (resource) => !hasDates(resource) && resource !== "payslips",
  );
}

function searchOf({ query }: FastifyRequest): ConnectionSearch {
  const state = given(query, "state");
  return {
    q: given(query, "q"),
    client: given(query, "client"),
    provider: given(query, "provider"),
    state: isListedState(state) ? state : undefined,
  };
}

interface FoundConnections {
  listed: ListedConnection[];
  next: string | undefined;
  /** Why nothing was looked for. */
  problem?: string;
}

/** A token's id or a reference names few connections. Else a page of those that the choices leave. */
async function findConnections(
  { connections }: ConsoleDependencies,
  viewer: Viewer,
  {
    search,
    before,
    clients,
  }: { search: ConnectionSearch; before: string | undefined; clients: readonly Choice[] },
): Promise<FoundConnections> {
  const { q, provider, state } = search;
  const clientId = viewer.clientId ?? search.client;
  if (q !== undefined) {
    // A reference is found by the keyed digest of its client.
    if (clientId === undefined && clients.length >= mostOffered && !isUuid(q))
      return {
        listed: [],
        next: undefined,
        problem: "Choose the client too: a reference is looked for among those of one client.",
      };
    const owners = clientId === undefined ? clients.map(({ value }) => value) : [clientId];
    const ofToken = isUuid(q) ? await connections.listing.ofTokens([q.toLowerCase()]) : [];
    // A client may call its connections by ids of this form, too.
    const ids = ofToken.length === 0 ? await findByReference(connections, owners, q) : [];
    const found = [...ofToken, ...(await connections.listing.ofTokens(ids))];
    const listed = found.filter((each) => clientId === undefined || each.clientId === clientId);
    return { listed, next: undefined };
  }
  return await connections.listing.page({
    clientId,
    provider,
    state,
    before: before !== undefined && isUuid(before) ? before : undefined,
    limit: pageSize,
  });
}

async function findByReference(
  { labels }: ConsoleDependencies["connections"],
  owners: readonly ClientId[],
  reference: string,
): Promise<TokenId[]> {
  const found: TokenId[] = [];
  for (const clientId of owners) found.push(...(await labels.tokensOf(clientId, reference)));
  return found.slice(0, pageSize);
}
