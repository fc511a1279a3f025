import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  Forbidden,
  apiVersion,
  badRequest,
  errorResponses,
  notModified,
  resourceRecords,
  type Scope,
} from "../model/index.ts";
import { secondsBetween } from "../platform/clock.ts";
import { compressed } from "../platform/compression.ts";
import { readWait, type HttpApp } from "../platform/http/index.ts";
import { encodeParameters, type DateRange } from "../sync/index.ts";
import { admitDataRequest, type Admission, type StoredData } from "../tokens/index.ts";
import type { RouteDependencies } from "./dependencies.ts";
import { rangeQuery } from "./endpoints.ts";
import { refuseQuery } from "./near-miss.ts";
import { joinPayslips, readPayslips, waitForAny, type RangeReading } from "./payslips-of-range.ts";
import {
  describeData,
  refusalOf,
  sendNotModified,
  sendPending,
  sendStored,
  waitingNote,
  waitingReplyHeaders,
} from "./reply.ts";
import { dataRequestHeaders, readMaxAge } from "./request-headers.ts";

const scope: Scope = `/${apiVersion}/xhr/payruns/:payrun_id`;
const payrunsScope: Scope = `/${apiVersion}/xhr/payruns`;
const mostDays = 400;
/** What is stored may be replaced between two look-ups. Then all of them are repeated. */
const mostLooks = 3;

const query = rangeQuery.refine(
  ({ start_date: start, end_date: end }) => countDays(start, end) <= mostDays,
  {
    error: `is more than ${mostDays} days after the first one; ask for a part of the range`,
    path: ["end_date"],
  },
);

/** Both ends are counted. */
function countDays(start: string, end: string): number {
  return secondsBetween(new Date(start), new Date(end)) / 86_400 + 1;
}

/** Beyond the specification: the payslips of a range, for which every pay run would have to be asked for by itself. */
export function registerPayslipsRoute(app: HttpApp, dependencies: RouteDependencies): void {
  app.route({
    method: "GET",
    url: `/${apiVersion}/xhr/payslips`,
    // 401 and 403 come before 400, so the handler throws what the validation found.
    attachValidation: true,
    config: {
      rateLimitClass: "gated",
      isAddressCountedLater: true,
      description: { requestHeaders: dataRequestHeaders, replyHeaders: waitingReplyHeaders },
    },
    schema: {
      operationId: "listPayslipsOfRange",
      summary: "The payslips of all pay runs in a range of dates",
      description:
        `Of the pay runs that payruns lists for the range, which has at most ${mostDays} days: all of their payslips, or ` +
        "none as long as one run is being read. It needs the scopes of payslips and of pay runs. Of a run that was paid, " +
        `stored payslips are up to a day old. ${waitingNote}`,
      tags: ["xhr"],
      security: [{ bearer: [] }],
      querystring: query,
      response: {
        200: z
          .array(resourceRecords.payslips)
          .describe("The payslips, by pay run in the order of payruns."),
        304: notModified,
        ...errorResponses(202, 400, 401, 403, 415, 429, 500, 501, 503),
        ...badRequest("start_date: is required, as YYYY-MM-DD"),
      },
    },
    handler: async (request, reply) => {
      const { start_date: start, end_date: end } = request.query;
      const range = { start, end };
      const stored = request.validationError ? undefined : storedPayruns(range);
      const admission = await admitDataRequest(
        { app, tokens: dependencies.tokens, request, reply },
        { scope, ...(stored && { stored }) },
      );
      requirePayruns(admission);
      if (request.validationError)
        throw refuseQuery(request.validationError, request.query, rangeQuery);
      return await answer(dependencies, request, reply, { admission, range });
    },
  });
}

/** Which runs there are is read as well, and no read goes beyond the scopes that the end user has seen. */
function requirePayruns({ scopes }: Admission): void {
  if (scopes.includes(payrunsScope)) return;
  throw new Forbidden(
    `This endpoint needs the scope ${payrunsScope} too, which the token lacks.`,
    payrunsScope,
  );
}

function storedPayruns(range: DateRange): StoredData {
  return { resource: "payruns", parameters: encodeParameters({ range }) };
}

async function answer(
  dependencies: RouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: { admission: Admission; range: DateRange },
): Promise<FastifyReply> {
  const { sync, clock } = dependencies;
  const reading = await readInTime(dependencies, request, reply, asked);
  if (reading.kind === "replaced") return sendPending(request, reply, 1);
  if (reading.kind === "pending") return sendPending(request, reply, reading.retryAfterSeconds);
  if (reading.kind !== "ready") throw refusalOf(reading, "");
  const now = clock.now();
  const { headers, isKnown } = describeData(request, { ...reading, now });
  const age = Math.max(0, Math.floor(secondsBetween(reading.oldestAt, now)));
  reply.headers({ ...headers, age: String(age) });
  if (isKnown) return sendNotModified(reply, {});
  return sendStored(request, reply, compressed(joinPayslips(sync, reading), request.replyEncoding));
}

/** Each read that ends in the time that the caller waits makes room for the next one. */
async function readInTime(
  { sync, tokens, clock, closing }: RouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { admission: admitted, range }: { admission: Admission; range: DateRange },
): Promise<RangeReading> {
  const waitSeconds = readWait(request);
  if (waitSeconds !== undefined) reply.header("preference-applied", `wait=${waitSeconds}`);
  const startedAt = clock.now();
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  let admission: Admission | undefined = admitted;
  for (let looks = 1; ;) {
    const { connectionId, authFailure, snapshot } = admission;
    const maxAgeSeconds = readMaxAge(request);
    const found = { authFailure, snapshot, maxAgeSeconds };
    const reading = await readPayslips(sync, { connectionId, range, ...found });
    const leftMs = ((waitSeconds ?? 0) - secondsBetween(startedAt, clock.now())) * 1_000;
    if (reading.kind === "replaced" && looks < mostLooks) looks += 1;
    else if (reading.kind !== "pending" || leftMs <= 0 || signal.aborted) return reading;
    else await waitForAny(sync, reading.readIds, leftMs, signal);
    admission = await tokens.findAdmission(admission, storedPayruns(range));
    if (!admission || admission.isDisconnected) throw new Forbidden("The token was disconnected.");
  }
}
