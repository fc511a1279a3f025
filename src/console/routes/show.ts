import type { FastifyReply, FastifyRequest } from "fastify";
import { NotFound, type ClientId } from "../../model/index.ts";
import { isDone, type Done } from "../pages/done.ts";
import { consolePath } from "../pages/layout.ts";
import type { Choice } from "../pages/pieces.ts";
import type { Names } from "../pages/problems-page.ts";
import type { Viewer } from "../viewer.ts";
import type { ConsoleDependencies } from "./console-dependencies.ts";

export const shownRoute = { config: { rateLimitClass: "wide" }, schema: { hide: true } } as const;
export const pageSize = 50;
/** Clients of a list to choose from. */
export const mostOffered = 100;

/** Behind the guard there always is one. */
export function viewerOf({ viewer }: FastifyRequest): Viewer {
  if (!viewer) throw new Error("a page of the console has no guard");
  return viewer;
}

/** What a developer asks for by an id of somebody else is not there, as what nobody has. */
export function requireOwn(viewer: Viewer, clientId: ClientId | undefined, id: string): ClientId {
  const isShown =
    clientId !== undefined && (viewer.clientId === undefined || viewer.clientId === clientId);
  if (!isShown) throw new NotFound(id, "There is nothing with this id.");
  return clientId;
}

/** Of operators alone. For developers the page is not there. */
export function requireOperator(request: FastifyRequest): Viewer {
  const viewer = viewerOf(request);
  if (viewer.clientId !== undefined) throw new NotFound(request.url, "There is nothing here.");
  return viewer;
}

export function requireUuid(id: string | undefined): string {
  if (id === undefined || !isUuid(id))
    throw new NotFound(id ?? "", "There is nothing with this id.");
  return id.toLowerCase();
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** One parameter of the path or the query; undefined when it is empty, comes twice or is no text for the database. */
export function given(source: unknown, name: string): string | undefined {
  const value = (source as Readonly<Record<string, unknown>>)[name];
  const isText = typeof value === "string" && value.trim() !== "" && !value.includes("\0");
  return isText ? value.trim() : undefined;
}

export function doneOf({ query }: FastifyRequest): Done | undefined {
  const done = given(query, "done");
  return isDone(done) ? done : undefined;
}

/** The client whose things are listed: that of the developer, or the one that the operator chose. */
export function chosenClient(viewer: Viewer, request: FastifyRequest): ClientId | undefined {
  return viewer.clientId ?? given(request.query, "client");
}

/** Names of providers and of the clients that these are of, for a page. */
export async function findNames(
  { registry, clients }: Pick<ConsoleDependencies, "registry" | "clients">,
  listed: readonly { clientId: ClientId | null }[] = [],
): Promise<Names> {
  const ids = new Set(listed.flatMap(({ clientId }) => clientId ?? []));
  const names = await clients.namesOf([...ids]);
  return {
    system: (provider) =>
      provider === null ? "the provider" : (registry.find(provider)?.title ?? provider),
    client: (clientId) => (clientId === null ? undefined : names.get(clientId)),
  };
}

/** What an operator may choose from: the newest clients, and the one that is chosen. */
export async function offerClients(
  viewer: Viewer,
  { clients }: Pick<ConsoleDependencies, "clients">,
  chosen: ClientId | undefined,
): Promise<Choice[]> {
  if (viewer.clientId !== undefined) return [];
  const found = await clients.page({ before: undefined, limit: mostOffered });
  const choices = found.map(({ clientId, name }) => ({ value: clientId, label: name }));
  if (chosen === undefined || choices.some(({ value }) => value === chosen)) return choices;
  const names = await clients.namesOf([chosen]);
  return [{ value: chosen, label: names.get(chosen) ?? chosen }, ...choices];
}

/**
 * A change. Every entry of the audit record that it writes names who asked for it, and one more says what was asked, for
 * what leaves no other.
 */
export async function change<Result>(
  { audit, pool }: Pick<ConsoleDependencies, "audit" | "pool">,
  request: FastifyRequest,
  { did, ...subject }: { did: string; clientId?: string | undefined; tokenId?: string | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const viewer = viewerOf(request);
  const kind = viewer.clientId === undefined ? "operator" : "developer";
  return await audit.askedBy(`${kind} ${viewer.name}`, async () => {
    await audit.record(pool, "console.used", { ...subject, detail: { did } });
    return await work();
  });
}

export function leadTo(reply: FastifyReply, path: string, done?: Done): FastifyReply {
  return reply.redirect(done === undefined ? path : `${path}?done=${done}`, 303);
}

/** A page of the console, and no other site. */
export function placeOf(to: unknown): string {
  return typeof to === "string" && /^\/console(?:\/[\w/-]*)?$/.test(to) ? to : consolePath;
}
