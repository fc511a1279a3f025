import { z } from "zod";
import { authErrorCodes } from "./auth-error-code.ts";

const message = z.string();

/** The bodies of the specification's Errors table, by status. */
const errorBodies = {
  202: z.object({ message }).meta({
    id: "Pending",
    description: "The data is being fetched. Repeat the call after Retry-After seconds.",
    examples: [{ message: "The data is being fetched. Please repeat the request later." }],
  }),
  400: z
    .object({
      message,
      validation_error: z.string().describe("What was wrong, by field, header or position"),
    })
    .meta({
      id: "BadRequest",
      description: "The request is not valid.",
      examples: [
        { message: "The request is not valid.", validation_error: "start_date: Invalid ISO date" },
      ],
    }),
  401: z
    .object({
      error: z.literal("authentication_error"),
      message,
      code: z.enum([...authErrorCodes, "no_valid_accounts"]),
    })
    .meta({
      id: "AuthenticationError",
      description: "The credential was refused, by Rollcall or by the provider.",
      examples: [
        {
          error: "authentication_error",
          message: "The access token is not valid.",
          code: "reauthentication_required",
        },
      ],
    }),
  403: z.object({ message }).meta({
    id: "Forbidden",
    description: "Forbidden, for example a disconnected token.",
    examples: [{ message: "The token was disconnected." }],
  }),
  404: z.object({ message, id: z.string().describe("Id of the entity concerned") }).meta({
    id: "NotFound",
    description: "The entity does not exist.",
    examples: [{ message: "The payrun is not known.", id: "pr_unknown" }],
  }),
  409: z
    .object({
      error: z.literal("conflict"),
      code: z.string().describe("The conflicting authorization code").optional(),
      token: z.string().describe("The id of the conflicting token").optional(),
    })
    .meta({
      id: "Conflict",
      description: "Another request came first, for example with the same authorization code.",
      examples: [{ error: "conflict" }],
    }),
  429: z.object({ message }).meta({
    id: "TooManyRequests",
    description: "Rate limited. Repeat the call after Retry-After seconds.",
    examples: [{ message: "Too many requests." }],
  }),
  500: z.object({ message }).meta({
    id: "ServerError",
    description: "Server error.",
    examples: [{ message: "Something went wrong on our side." }],
  }),
  501: z.object({ message }).meta({
    id: "NotImplemented",
    description: "The provider does not support the operation.",
    examples: [{ message: "The provider does not support this operation." }],
  }),
  503: z.object({ message }).meta({
    id: "ServiceUnavailable",
    description: "Temporarily unavailable. Repeat the call after Retry-After seconds.",
    examples: [{ message: "The provider is unavailable." }],
  }),
} as const;

type ErrorStatus = keyof typeof errorBodies;

/** The error responses of an endpoint, for its schema. */
export function errorResponses<Status extends ErrorStatus>(
  ...statuses: Status[]
): Pick<typeof errorBodies, Status> {
  return Object.fromEntries(
    statuses.map((status) => [status, errorBodies[status]]),
  ) as unknown as Pick<typeof errorBodies, Status>;
}
