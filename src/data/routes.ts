import type { FastifyReply, FastifyRequest } from "fastify";
import {
  Forbidden,
  NotFound,
  type DomainError,
  errorResponses,
  identity,
  isFetched,
  notModified,
  scopes,
  serviceUnavailable,
  splitScope,
  type EndpointPath,
  type FetchedPath,
  type Mode,
  type Scope,
} from "../model/index.ts";
import { readWait, type HttpApp } from "../platform/http/index.ts";
import { withSpan } from "../platform/tracing/index.ts";
import type { Reading, Sync } from "../sync/index.ts";
import { admitDataRequest, type Admission, type StoredData } from "../tokens/index.ts";
import type { DataDependencies, FetchedDependencies, RouteDependencies } from "./dependencies.ts";
import { findDataEndpoint, type DataEndpoint, type DataSelection } from "./endpoints.ts";
import { refuseQuery } from "./near-miss.ts";
import { registerExportRoute } from "./export-route.ts";
import { registerPayslipsRoute } from "./payslips-route.ts";
import {
  dataReplyHeaders,
  describeData,
  refusalOf,
  sendNotModified,
  sendPending,
  sendStored,
  waitingNote,
  waitingReplyHeaders,
} from "./reply.ts";
import { dataRequestHeaders, readMaxAge, versionHeaders } from "./request-headers.ts";

/** A snapshot may be replaced between the look-up and the read. Then both are repeated. */
const maxReads = 3;

export async function registerDataRoutes(app: HttpApp, given: DataDependencies): Promise<void> {
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  const dependencies: RouteDependencies = { ...given, closing: closing.signal };
  for (const scope of scopes) {
    const { mode, path } = splitScope(scope);
    if (isFetched(path)) registerFetchedRoute(app, scope, dependencies);
    else capturedRoutes[path](app, { mode, url: scope }, dependencies);
  }
  registerPayslipsRoute(app, dependencies);
  await app.register(async (scope) => registerExportRoute(scope as HttpApp, given));
}

/** A scope is the URL of its endpoint. */
interface Route {
  mode: Mode;
  url: Scope;
}

/** The endpoints whose data was captured at sign-in. */
const capturedRoutes: {
  readonly [Path in Exclude<EndpointPath, FetchedPath>]: typeof registerIdentity;
} = { identity: registerIdentity };

/** The route of data that is fetched from a provider. Throws for a scope of other data. */
export function registerFetchedRoute(
  app: HttpApp,
  url: Scope,
  dependencies: FetchedDependencies,
): void {
  const { mode, path } = splitScope(url);
  const endpoint = findDataEndpoint(path as FetchedPath);
  app.route({
    method: "GET",
    url,
    // 401 and 403 come before 400, so the handler throws what the validation found.
    attachValidation: true,
    config: {
      rateLimitClass: "gated",
      isAddressCountedLater: true,
      description: {
        requestHeaders: dataRequestHeaders,
        replyHeaders: waitingReplyHeaders,
      },
    },
    schema: {
      operationId: mode === "xhr" ? endpoint.operationId : `${endpoint.operationId}Official`,
      summary: endpoint.summary,
      description: `${endpoint.description} ${waitingNote}`,
      tags: [mode],
      security: [{ bearer: [] }],
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.params && { params: endpoint.params }),
      response: {
        200: endpoint.body,
        304: notModified,
        ...errorResponses(202, 400, 401, 403, 415, 429, 500, 501, 503),
        ...endpoint.errors,
      },
    },
    handler: async (request, reply) => {
      const selection: DataSelection = request.validationError
        ? { parameters: "" }
        : endpoint.select(request);
      const admission = await withSpan({ name: "admission" }, () =>
        admitDataRequest(
          { app, tokens: dependencies.tokens, request, reply },
          { scope: url, stored: storedData(endpoint, selection) },
        ),
      );
      if (request.validationError)
        throw refuseQuery(request.validationError, request.query, endpoint.query);
      return await answer(dependencies, request, reply, { endpoint, selection, admission });
    },
  });
}

interface Answering {
  endpoint: DataEndpoint;
  selection: DataSelection;
  admission: Admission;
}

async function answer(
  dependencies: FetchedDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  answering: Answering,
): Promise<FastifyReply> {
  const { sync, clock } = dependencies;
  const { endpoint, selection } = answering;
  let current = await readWhenSettled(dependencies, request, reply, answering);
  for (let reads = 1; ; reads += 1) {
    const { reading, admission } = current;
    if (reading.kind === "pending") return sendPending(request, reply, reading.retryAfterSeconds);
    if (reading.kind !== "ready") throw refusalOf(reading, selection.payrunId ?? "");
    const { headers, isKnown } = describeData(request, { ...reading, now: clock.now() });
    // A single employee may be missing from the list, so a 404 is decided before a 304.
    if (isKnown && !isSingle(selection)) return sendNotModified(reply, headers);
    const part = {
      connectionId: admission.connectionId,
      resource: endpoint.resource,
      parameters: selection.parameters,
      version: reading.version,
    };
    const body = await withSpan({ name: "opening of a snapshot" }, () =>
      sync.open({ ...part, variant: selection.variant, encoding: request.replyEncoding }),
    );
    if (body === "missing") throw noSuchEmployee(selection);
    if (body && isKnown) return sendNotModified(reply, headers);
    if (body) return sendStored(request, reply.headers(headers), body);
    if (reads === maxReads) return sendPending(request, reply, 1);
    current = await readAgain(dependencies, request, answering);
  }
}

/**
 * Reads once. If the caller waits for pending data, it reads again when that is settled or the time is
 * over.
 */
async function readWhenSettled(
  dependencies: FetchedDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  answering: Answering,
): Promise<{ reading: Reading; admission: Admission }> {
  const { sync, closing } = dependencies;
  const waitSeconds = readWait(request);
  const reading = await readOnce(sync, request, answering, answering.admission);
  if (waitSeconds !== undefined) reply.header("preference-applied", `wait=${waitSeconds}`);
  if (reading.kind !== "pending" || !waitSeconds)
    return { reading, admission: answering.admission };
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const attributes = { "rollcall.read_id": reading.readId };
  await withSpan({ name: "wait for a read", attributes }, () =>
    sync.waitUntilSettled(
      reading.readId,
      waitSeconds * 1_000,
      AbortSignal.any([gone.signal, closing]),
    ),
  );
  return await readAgain(dependencies, request, answering);
}

/** Repeats the look-up too, because the token may have been disconnected in the meantime. */
async function readAgain(
  { tokens, sync }: FetchedDependencies,
  request: FastifyRequest,
  answering: Answering,
): Promise<{ reading: Reading; admission: Admission }> {
  const { endpoint, selection } = answering;
  const admission = await tokens.findAdmission(
    answering.admission,
    storedData(endpoint, selection),
  );
  if (!admission || admission.isDisconnected) throw new Forbidden("The token was disconnected.");
  return { admission, reading: await readOnce(sync, request, answering, admission) };
}

async function readOnce(
  sync: Pick<Sync, "read">,
  request: FastifyRequest,
  { endpoint, selection }: Answering,
  { connectionId, authFailure, snapshot }: Admission,
): Promise<Reading> {
  const { resource } = endpoint;
  const attributes = { "rollcall.connection_id": connectionId, "rollcall.resource": resource };
  return await withSpan({ name: "look-up of a snapshot", attributes }, async (span) => {
    const reading = await sync.read({
      connectionId,
      resource,
      parameters: selection.parameters,
      authFailure,
      snapshot,
      maxAgeSeconds: readMaxAge(request),
    });
    span.set({ "rollcall.state": reading.kind });
    return reading;
  });
}

function storedData({ resource }: DataEndpoint, { parameters }: DataSelection): StoredData {
  return { resource, parameters };
}

function isSingle({ variant }: DataSelection): boolean {
  return variant !== undefined && "employeeId" in variant;
}

function noSuchEmployee({ variant }: DataSelection): DomainError {
  return new NotFound(
    variant && "employeeId" in variant ? variant.employeeId : "",
    "The employee is not known.",
  );
}

function registerIdentity(
  app: HttpApp,
  { mode, url }: Route,
  { tokens, sync, clock }: RouteDependencies,
): void {
  app.route({
    method: "GET",
    url,
    config: {
      rateLimitClass: "gated",
      isAddressCountedLater: true,
      description: {
        requestHeaders: versionHeaders,
        replyHeaders: { 200: dataReplyHeaders, 304: dataReplyHeaders },
      },
    },
    schema: {
      operationId: mode === "xhr" ? "getIdentity" : "getIdentityOfficial",
      summary: "The user of the connected account",
      description: "Who signed in, as captured at that moment. It never answers 202.",
      tags: [mode],
      security: [{ bearer: [] }],
      response: {
        200: identity.describe("The user."),
        304: notModified,
        ...errorResponses(401, 403, 415, 429, 500),
        ...serviceUnavailable,
      },
    },
    handler: async (request, reply) => {
      const admission = await admitDataRequest({ app, tokens, request, reply }, { scope: url });
      if (admission.authFailure)
        throw refusalOf({ kind: "refused", code: admission.authFailure }, "");
      const found = await sync.identity(admission.connectionId);
      if (!found) throw refusalOf({ kind: "disconnected" }, "");
      const version = found.capturedAt.getTime().toString(36);
      const stored = { version, fetchedAt: found.capturedAt, now: clock.now() };
      const { headers, isKnown } = describeData(request, stored);
      if (isKnown) return sendNotModified(reply, headers);
      reply.headers(headers);
      return found.identity;
    },
  });
}
