import { badRequest, errorResponses, sentAuthErrorCode } from "../model/index.ts";
import type { HttpApp } from "../platform/http/index.ts";
import { failureBody, rightsBody, signInBody } from "./bodies.ts";
import { registerChange } from "./route-parts.ts";
import type { Sandbox } from "./sandbox.ts";
import { maxRecordsBytes, readRecords, recordsBody } from "./set-records.ts";

function bodyErrors(validationError: string) {
  return { ...badRequest(validationError), ...errorResponses(413) };
}

/** The changes that a body describes. */
export function registerBodyChanges(app: HttpApp, sandbox: Sandbox): void {
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
