import { z } from "zod";
import { guardWithBasic, wrongClient, type Clients } from "../clients/index.ts";
import type { Connection } from "../connections/index.ts";
import {
  InvalidRequest,
  NotFound,
  apiVersion,
  badRequest,
  errorResponse,
  errorResponses,
  modeOfScopes,
  scopesOfMode,
  sentAuthErrorCode,
  serviceUnavailable,
  type ClientId,
} from "../model/index.ts";
import { ignoreBodies, type HttpApp, gatedRoute } from "../platform/http/index.ts";
import {
  connectionState,
  failureBody,
  madeConnection,
  newConnection,
  rightsBody,
  signInBody,
  toBody,
  tokenParameter,
} from "./bodies.ts";
import type { Sandbox } from "./sandbox.ts";
import { maxRecordsBytes, readRecords, recordsBody } from "./set-records.ts";

const url = `/${apiVersion}/management/sandbox/connections`;

const shared = { tags: ["Sandbox"], security: [{ basic: [] }] };
const changeErrors = {
  ...errorResponses(400, 415, 429, 500),
  ...wrongClient,
  ...errorResponse(404, {
    description: "The client has no such connection of the sandbox.",
    example: { message: "There is no sandbox connection with this token.", id: "unknown" },
  }),
  ...serviceUnavailable,
};

const untilPolledSeconds = 2;
export interface SandboxRouteDependencies {
  clients: Clients;
  sandbox: Sandbox;
}

/** What a client's developer lets happen at the client's own connections of the sandbox. */
export async function registerSandboxRoutes(
  app: HttpApp,
  { clients, sandbox }: SandboxRouteDependencies,
): Promise<void> {
  await app.register(async (inner) => {
    const guarded = inner as HttpApp;
    await guardWithBasic(guarded, clients);
    guarded.addHook("onSend", async (_request, reply) => {
      reply.header("cache-control", "private, no-store");
    });
    registerCreation(guarded, { clients, sandbox });
    registerState(guarded, sandbox);
    registerBodyChanges(guarded, sandbox);
    await guarded.register(async (bodiless) => {
      ignoreBodies(bodiless);
      registerBodilessChanges(bodiless as HttpApp, sandbox);
    });
  });
}

const notPolled = badRequest(
  "token: this connection is not polled: its client has no webhook_uri; set one with POST /2023-03-01/management/client",
);

function registerCreation(app: HttpApp, { clients, sandbox }: SandboxRouteDependencies): void {
  app.route({
    method: "POST",
    url,
    config: gatedRoute,
    schema: {
      ...shared,
      operationId: "createSandboxConnection",
      summary: "Connect the sandbox without a browser",
      description:
        "Signs in as the user of a scenario, answers what the sign-in asks, and gives the access token. " +
        "A scenario whose sign-in is refused is a 400 that names the refusal.",
      body: newConnection,
      response: {
        201: madeConnection.describe("The connection, with its access token."),
        ...errorResponses(413, 415, 429, 500),
        ...badRequest(
          "scenario: the sign-in of user_bad_password is refused (incorrect_username_or_password)",
        ),
        ...wrongClient,
        ...serviceUnavailable,
      },
    },
    handler: async (request, reply) => {
      if (!clients.maySimulate(request.client))
        throw new InvalidRequest(
          "allow_sandbox: is off; the client switches it on, or connects it in dev",
        );
      const { scenario, mode: wanted, scopes = scopesOfMode(wanted) } = request.body;
      if (modeOfScopes(scopes) !== wanted)
        throw new InvalidRequest(`scopes: have to be of the mode ${wanted}`);
      const { id, accessToken, ...made } = await sandbox.connect(request.client.clientId, {
        scenario,
        mode: wanted,
        scopes,
      });
      request.logIds["tokenId"] = id;
      reply.status(201);
      return {
        token: id,
        access_token: accessToken,
        mode: made.mode,
        provider: "sandbox" as const,
        scopes: made.scopes,
        token_type: "Bearer" as const,
      };
    },
  });
}

function registerState(app: HttpApp, sandbox: Sandbox): void {
  app.route({
    method: "GET",
    url: `${url}/:token_id`,
    config: gatedRoute,
    schema: {
      ...shared,
      operationId: "getSandboxConnection",
      summary: "What a sandbox connection does",
      description: "The scenario, the simulated hour, a failure that was set, and the last poll.",
      params: tokenParameter,
      response: { 200: connectionState, ...changeErrors },
    },
    handler: ({ params, client }) => describe(sandbox, params.token_id, client.clientId),
  });
}

function registerBodilessChanges(app: HttpApp, sandbox: Sandbox): void {
  registerChange(app, sandbox, {
    name: "advance",
    operationId: "advanceSandboxConnection",
    summary: "Go to the next simulated hour",
    description: "The next read finds one employee added, one removed and two updated.",
    change: (connection) => sandbox.advance(connection),
  });
  registerChange(app, sandbox, {
    name: "poll",
    operationId: "pollSandboxConnection",
    summary: "Poll now",
    description:
      "Polls what the client has polled, without waiting for the hour. The reply tells how the poll for employees " +
      "stands; the first one only takes the list that later ones compare with.",
    errors: notPolled,
    change: (connection) => sandbox.poll(connection),
  });
  registerWebhook(app, sandbox);
}

function registerWebhook(app: HttpApp, sandbox: Sandbox): void {
  app.route({
    method: "POST",
    url: `${url}/:token_id/webhook`,
    config: gatedRoute,
    schema: {
      ...shared,
      operationId: "sendSandboxWebhook",
      summary: "Send a webhook now",
      description:
        "Lets a simulated hour pass and polls at once: a webhook with one employee added, one removed and two " +
        "updated follows. 202 means that the first poll, which later ones compare with, is under way: repeat the call.",
      params: tokenParameter,
      response: {
        200: connectionState,
        ...errorResponses(202),
        ...changeErrors,
        ...notPolled,
      },
    },
    handler: async ({ params, client }, reply) => {
      const connection = await find(sandbox, params.token_id, client.clientId);
      if (await sandbox.sendWebhook(connection))
        return await describe(sandbox, params.token_id, client.clientId);
      reply.status(202).header("retry-after", String(untilPolledSeconds));
      return { message: "The first poll is under way. Please repeat the request later." };
    },
  });
}

function bodyErrors(validationError: string) {
  return { ...badRequest(validationError), ...errorResponses(413) };
}

/** The changes that a body describes. */
function registerBodyChanges(app: HttpApp, sandbox: Sandbox): void {
  registerChange(app, sandbox, {
    name: "fail",
    operationId: "failSandboxConnection",
    summary: "Let reads fail",
    description: "Reads end with this code of a 401 until the end user signs in again.",
    body: failureBody,
    errors: bodyErrors(`code: has to be one of ${sentAuthErrorCode.options.join(", ")}`),
    change: (connection, { code }) => sandbox.fail(connection, code),
  });
  registerChange(app, sandbox, {
    name: "sign-in",
    operationId: "signInToSandboxConnection",
    summary: "Sign in again",
    description:
      "As if the end user had signed in again: a failure is over, the same access token works, and the simulated " +
      "hour and what was set stay.",
    body: signInBody,
    errors: bodyErrors("scenario: the sign-in of user_captcha is refused (captcha_challenge)"),
    change: (connection, body) => sandbox.signInAgain(connection, body?.scenario),
  });
  registerChange(app, sandbox, {
    name: "rights",
    operationId: "setSandboxRights",
    summary: "Take rights, or give them back",
    description:
      "The end user signs in again with an account that may not read these fields of employees and these " +
      "resources. Replaces what was set before.",
    body: rightsBody,
    errors: bodyErrors("limited.0: Invalid option"),
    change: (connection, rights) => sandbox.setRights(connection, rights),
  });
  registerChange(app, sandbox, {
    name: "records",
    operationId: "setSandboxRecords",
    summary: "Set people, pay runs and absences",
    description:
      "Each list takes the place of the scenario's, up to 200 records, and 100 kB in all. With people of your own, " +
      "what the scenario has of its people is empty: timesheets, balances, and what is not set of the others.",
    body: recordsBody,
    errors: bodyErrors("employees.0.start_date: Invalid ISO date"),
    maxBytes: maxRecordsBytes,
    change: (connection, body) => sandbox.setRecords(connection, readRecords(body)),
  });
}

/** The connection as it is now. */
async function describe(
  sandbox: Sandbox,
  token: string,
  clientId: ClientId,
): Promise<z.output<typeof connectionState>> {
  return toBody(await sandbox.describe(await find(sandbox, token, clientId)));
}

async function find(sandbox: Sandbox, token: string, clientId: ClientId): Promise<Connection> {
  if (!z.uuid().safeParse(token).success)
    throw new NotFound(token, "There is no sandbox connection with this token.");
  return await sandbox.find(token, clientId);
}

interface Change<Body extends z.ZodType> {
  /** The last part of the path. */
  name: string;
  operationId: string;
  summary: string;
  description: string;
  body?: Body;
  errors?: Partial<ReturnType<typeof errorResponses<400 | 413>>>;
  maxBytes?: number;
  change: (connection: Connection, body: z.output<Body>) => Promise<void>;
}

/** A route that changes a connection, and answers how it stands then. */
function registerChange<Body extends z.ZodType>(
  app: HttpApp,
  sandbox: Sandbox,
  { name, body: schema, errors, maxBytes, change, ...described }: Change<Body>,
): void {
  app.route({
    method: "POST",
    url: `${url}/:token_id/${name}`,
    ...(maxBytes !== undefined && { bodyLimit: maxBytes }),
    config: gatedRoute,
    schema: {
      ...shared,
      ...described,
      params: tokenParameter,
      ...(schema && { body: schema }),
      response: { 200: connectionState, ...changeErrors, ...errors },
    },
    handler: async ({ params, client, body }) => {
      const connection = await find(sandbox, params.token_id, client.clientId);
      await change(connection, body as z.output<Body>);
      return await describe(sandbox, params.token_id, client.clientId);
    },
  });
}
