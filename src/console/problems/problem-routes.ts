import { z } from "zod";
import { guardWithBasic, wrongClient, type Clients } from "../../clients/index.ts";
import {
  apiVersion,
  errorResponses,
  mode,
  resource,
  serviceUnavailable,
} from "../../model/index.ts";
import { gatedRoute, ignoreBodies, type HttpApp } from "../../platform/http/index.ts";
import type { ProviderRegistry } from "../../providers/index.ts";
import { explainProblem } from "./explain-problem.ts";
import { findProblems, type ProblemSources } from "./find-problems.ts";
import { problemKind, turn, type Problem } from "./problem.ts";

const moment = z.iso.datetime().nullable();

const entry = z
  .object({
    kind: problemKind.describe("What is wrong"),
    turn: turn.describe("Who can end it"),
    what: z.string().describe("What is wrong, in a sentence for people"),
    todo: z.string().describe("What there is to do, in a sentence for people"),
    since: moment.describe("Since when; null where nobody wrote it down"),
    until: moment.describe("When it ends by itself; null where that is not known"),
    times: z
      .number()
      .int()
      .describe("How often it happened, or how many reads or attempts it is about"),
    token: z
      .string()
      .nullable()
      .describe("The id of the token; null when it is not about one connection"),
    reference: z
      .string()
      .nullable()
      .describe("What you call its connection; null when nothing was given"),
    provider: z
      .string()
      .nullable()
      .describe("The name of the provider; null when it is about none"),
    mode: mode.nullable().describe("The mode of the connection; null when it is not about one"),
    resource: resource
      .nullable()
      .describe("Which kind of data; null when it is about none in particular"),
    detail: z
      .string()
      .nullable()
      .describe("A code, a status or names of fields, which tell more; null when there are none"),
  })
  .meta({
    id: "Problem",
    description: "Something that is wrong now. It is listed no more once its cause has ended.",
    examples: [
      {
        kind: "sign_in_ended",
        turn: "end_user",
        what: "Odoo no longer accepts the sign-in: the session has ended.",
        todo: "Send the end user a link to sign in again. The same token works on after that.",
        since: "2026-03-02T10:00:00.000Z",
        until: null,
        times: 1,
        token: "01a1fd39-1dc3-72c9-9867-e2fd22989539",
        reference: "customer-4711",
        provider: "odoo",
        mode: "xhr",
        resource: null,
        detail: "reauthentication_required",
      },
    ],
  });

const reply = z
  .object({
    problems: z.array(entry).describe("What is wrong now"),
    has_more: z.boolean().describe("Whether there are more of a kind than are listed"),
  })
  .meta({
    id: "ProblemList",
    description: "What is wrong with the connections, reads and receivers of the client.",
    examples: [{ problems: [], has_more: false }],
  });

export interface ProblemDependencies extends ProblemSources {
  clients: Clients;
  registry: ProviderRegistry;
}

/** The list of the console for programs: that of the caller's own client. */
export async function registerProblemRoute(
  app: HttpApp,
  dependencies: ProblemDependencies,
): Promise<void> {
  await app.register(async (inner) => {
    const scope = inner as HttpApp;
    await guardWithBasic(scope, dependencies.clients);
    ignoreBodies(scope);
    scope.route({
      method: "GET",
      url: `/${apiVersion}/management/problems`,
      config: gatedRoute,
      schema: {
        operationId: "listProblems",
        summary: "What is wrong now, and who has to do what",
        description:
          "Sign-ins that have ended, rights that are missing, fields that are hidden, reads that fail or wait, and receivers that refuse what " +
          "is sent to them. At most a hundred connections of each kind are listed, the newest first.",
        tags: ["Management"],
        security: [{ basic: [] }],
        querystring: z.strictObject({}),
        response: {
          200: reply.describe("The problems."),
          ...errorResponses(400, 415, 429, 500),
          ...wrongClient,
          ...serviceUnavailable,
        },
      },
      handler: async (request, answer) => {
        answer.header("cache-control", "private, no-store");
        const found = await findProblems(dependencies, request.client.clientId);
        const problems = found.problems.map((problem) => toEntry(dependencies.registry, problem));
        return { problems, has_more: found.cut.length > 0 };
      },
    });
  });
}

/** As programs get it. */
export function toEntry(registry: ProviderRegistry, problem: Problem): z.output<typeof entry> {
  const { kind, turn: whose, since, until, times, tokenId, reference, provider } = problem;
  const { mode: ofMode, resource: ofResource, detail } = problem;
  const system = provider === null ? "" : (registry.find(provider)?.title ?? provider);
  return {
    kind,
    turn: whose,
    ...explainProblem(problem, system),
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    times,
    token: tokenId,
    reference,
    provider,
    mode: ofMode,
    resource: ofResource,
    detail,
  };
}
