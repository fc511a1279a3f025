import type { z } from "zod";
import type { Connection } from "../connections/index.ts";
import { badRequest, errorResponses, sentAuthErrorCode } from "../model/index.ts";
import { gatedRoute, type HttpApp } from "../platform/http/index.ts";
import { connectionState, failureBody, rightsBody, signInBody, tokenParameter } from "./bodies.ts";
import { changeErrors, describe, find, shared, url } from "./route-parts.ts";
import type { Sandbox } from "./sandbox.ts";
import { maxRecordsBytes, readRecords, recordsBody } from "./set-records.ts";

/** A change that its body describes, as the last part of the path. */
interface BodyChange<Body extends z.ZodType> {
  name: string;
  described: { operationId: string; summary: string; description: string };
  body: Body;
  /** The `validation_error` of a 400. */
  refusal: string;
  maxBytes?: number;
  change: (connection: Connection, body: z.output<Body>) => Promise<void>;
}

export function registerBodyChanges(app: HttpApp, sandbox: Sandbox): void {
  registerBodyChange(app, sandbox, {
    name: "fail",
    described: {
      operationId: "failSandboxConnection",
      summary: "Let reads fail",
      description: "Reads end with this code of a 401 until the end user signs in again.",
    },
    body: failureBody,
    refusal: `code: has to be one of ${sentAuthErrorCode.options.join(", ")}`,
    change: (connection, { code }) => sandbox.fail(connection, code),
  });
  registerBodyChange(app, sandbox, {
    name: "sign-in",
    described: {
      operationId: "signInToSandboxConnection",
      summary: "Sign in again",
      description:
        "As if the end user had signed in again: a failure is over, the same access token works, and the simulated " +
        "hour and what was set stay.",
    },
    body: signInBody,
    refusal: "scenario: the sign-in of user_captcha is refused (captcha_challenge)",
    change: (connection, body) => sandbox.signInAgain(connection, body?.scenario),
  });
  registerBodyChange(app, sandbox, {
    name: "rights",
    described: {
      operationId: "setSandboxRights",
      summary: "Take rights, or give them back",
      description:
        "The end user signs in again with an account that may not read these fields of employees and these " +
        "resources. Replaces what was set before.",
    },
    body: rightsBody,
    refusal: "limited.0: Invalid option",
    change: (connection, rights) => sandbox.setRights(connection, rights),
  });
  registerBodyChange(app, sandbox, {
    name: "records",
    described: {
      operationId: "setSandboxRecords",
      summary: "Set people, pay runs and absences",
      description:
        "Each list takes the place of the scenario's, up to 200 records, and 100 kB in all. With people of your own, " +
        "what the scenario has of its people is empty: timesheets, balances, and what is not set of the others.",
    },
    body: recordsBody,
    refusal: "employees.0.start_date: Invalid ISO date",
    maxBytes: maxRecordsBytes,
    change: (connection, body) => sandbox.setRecords(connection, readRecords(body)),
  });
}

function registerBodyChange<Body extends z.ZodType>(
  app: HttpApp,
  sandbox: Sandbox,
  { name, described, body: schema, refusal, maxBytes, change }: BodyChange<Body>,
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
      body: schema,
      response: {
        200: connectionState,
        ...changeErrors,
        ...badRequest(refusal),
        ...errorResponses(413),
      },
    },
    handler: async ({ params, client, body }) => {
      const connection = await find(sandbox, params.token_id, client.clientId);
      await change(connection, body as z.output<Body>);
      return await describe(sandbox, params.token_id, client.clientId);
    },
  });
}
