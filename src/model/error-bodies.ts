import { z } from "zod";
import { authErrorCode } from "./auth-error-code.ts";

const message = z.string().describe("What is wrong, for a person who reads the log");
const notValid = "The request is not valid.";

/** The bodies of the specification's Errors table and those of refused bodies, by status. */
const errorBodies = {
  202: z
    .object({ message: z.string().describe("What is being waited for, for a person who reads it") })
    .meta({
      id: "Pending",
      description: "The data is being fetched. Repeat the call after `Retry-After` seconds.",
      examples: [{ message: "The data is being fetched. Please repeat the request later." }],
    }),
  400: z
    .object({
      message,
      validation_error: z.string().describe("What is wrong, by field, header or position"),
    })
    .meta({
      id: "BadRequest",
      description: "The request is not valid. `validation_error` says what to change.",
      examples: [{ message: notValid, validation_error: "host: is required once" }],
    }),
  401: z
    .object({
      error: z.literal("authentication_error").describe("Always `authentication_error`"),
      message,
      code: authErrorCode.describe("Why the credential was refused"),
    })
    .meta({
      id: "AuthenticationError",
      description:
        "A credential was refused. With a `WWW-Authenticate` header it is the one of the request; without, " +
        "the provider refused the end user's account.",
      examples: [
        {
          error: "authentication_error",
          message:
            "The access token is mistyped or cut off: it is not of the form rc_at_… with its checksum. " +
            "Look for the typo; a new sign-in does not mend it.",
          code: "reauthentication_required",
        },
      ],
    }),
  403: z.object({ message }).meta({
    id: "Forbidden",
    description: "The token is disconnected, of the other environment, or lacks the scope.",
    examples: [{ message: "The token was disconnected." }],
  }),
  404: z.object({ message, id: z.string().describe("Id of the entity that was asked for") }).meta({
    id: "NotFound",
    description: "The entity does not exist. `id` names it.",
    examples: [{ message: "The payrun is not known.", id: "unknown" }],
  }),
  409: z
    .object({
      error: z.literal("conflict").describe("Always `conflict`"),
      message,
      code: z.string().describe("The authorization code that was exchanged before").optional(),
      token: z.string().describe("Id of the token that the code gave").optional(),
    })
    .meta({
      id: "Conflict",
      description: "Another request came first.",
      examples: [
        {
          error: "conflict",
          message: "The client was changed meanwhile. Read it and update it again.",
        },
      ],
    }),
  413: z.object({ message }).meta({
    id: "BodyTooLarge",
    description: "The body is larger than is taken: 64 KiB, and 200 kB for the update of a client.",
    examples: [{ message: "The body is too large." }],
  }),
  415: z.object({ message }).meta({
    id: "UnsupportedMediaType",
    description:
      "The `Content-Type` of the body is not one of those that are listed, or the body is compressed (`Content-Encoding`).",
    examples: [{ message: "The body has to be JSON, of the type application/json." }],
  }),
  429: z.object({ message }).meta({
    id: "TooManyRequests",
    description: "Rate limited. Repeat the call after `Retry-After` seconds.",
    examples: [
      {
        message:
          "40 requests in 5 minutes for this client on this endpoint are used up; repeat in 286 s.",
      },
    ],
  }),
  500: z.object({ message }).meta({
    id: "ServerError",
    description: "A fault of the service, or an answer of the provider that cannot be used.",
    examples: [{ message: "Something went wrong on our side." }],
  }),
  501: z.object({ message }).meta({
    id: "NotImplemented",
    description: "The provider, or the end user's account there, does not have this data.",
    examples: [{ message: "The provider does not support this operation." }],
  }),
  503: z.object({ message }).meta({
    id: "ServiceUnavailable",
    description:
      "The provider or the service is away. Repeat the call after `Retry-After` seconds.",
    examples: [{ message: "The provider is unavailable." }],
  }),
} as const;

type ErrorBodies = typeof errorBodies;
type ErrorStatus = keyof ErrorBodies;

/** The error responses of an endpoint, for its schema. */
export function errorResponses<Status extends ErrorStatus>(
  ...statuses: Status[]
): Pick<ErrorBodies, Status> {
  return Object.fromEntries(
    statuses.map((status) => [status, errorBodies[status]]),
  ) as unknown as Pick<ErrorBodies, Status>;
}

interface Particulars<Body> {
  /** When this endpoint answers with the status. */
  description?: string;
  example: Body;
}

/** The response of one endpoint to one error, where it says more than that of all endpoints. */
export function errorResponse<Status extends ErrorStatus>(
  status: Status,
  { description, example }: Particulars<z.output<ErrorBodies[Status]>>,
): Pick<ErrorBodies, Status> {
  const body = errorBodies[status].meta({
    ...(description && { description }),
    examples: [example],
  });
  return { [status]: body } as unknown as Pick<ErrorBodies, Status>;
}

/** The 400 of one endpoint, with what it says of such a request. */
export function badRequest(validationError: string): Pick<ErrorBodies, 400> {
  return errorResponse(400, {
    example: { message: notValid, validation_error: validationError },
  });
}

/** The 503 of an endpoint that asks no provider. */
export const serviceUnavailable = errorResponse(503, {
  description: "The service is away. Repeat the call after `Retry-After` seconds.",
  example: { message: "The service is unavailable for a moment." },
});

/** The response to a caller whose copy is current. */
export const notModified = z
  .null()
  .describe("The copy that the request names is current. There is no body.");
