import { z } from "zod";
import { InvalidRequest, type PollableResource } from "../model/index.ts";
import { clientFields, type AddressRules } from "./client-fields.ts";
import { isMaskedSecret, maskSecret } from "./client-secret.ts";
import type { ClientChange } from "./apply-change.ts";

const fieldsOffNote =
  "All that is not read of employees from now on; an empty list switches everything on again. What was stored of " +
  "employees is removed.";

/** The body of an update. It may hold all that was read before, so that people can read, change and write. */
export function clientUpdate(rules: AddressRules) {
  const fields = clientFields(rules);
  return z
    .strictObject({
      name: fields.name.optional().describe("The name that end users see: 1 to 100 characters"),
      client_secret: fields.client_secret
        .optional()
        .describe(
          "All secrets that are valid from now on, one or a list of up to three, each of 32 to 255 printable " +
            "ASCII characters at random. The first one signs webhooks.",
        ),
      webhook_uri: fields.webhook_uri
        .optional()
        .describe("Where webhooks are sent: an https address. Null switches them off."),
      ...eventFields(fields),
      redirect_uris: fields.redirect_uris
        .optional()
        .describe("All addresses to which a sign-in may lead back: https, or http on loopback"),
      ...profileFields(fields),
      allow_sandbox: z
        .boolean()
        .optional()
        .describe("Whether end users may sign in to the sandbox in the environment `prod`"),
      fields_off: fields.fields_off.optional().describe(fieldsOffNote),
      rotate_secret: z
        .boolean()
        .optional()
        .describe("Puts a new secret first, keeps the latest two, and shows the new one once"),
      client_id: z.string().optional().describe("Read-only; taken when it is unchanged"),
      webhook_status: z
        .string()
        .nullable()
        .optional()
        .describe("Read-only; taken, also as null, when it is unchanged"),
      logo_url: z
        .string()
        .nullable()
        .optional()
        .describe("Read-only; taken, also as null, when it is unchanged"),
    })
    .refine((body) => Object.keys(body).length > 0, { error: "names no field to change" })
    .meta({
      id: "ClientUpdate",
      description: "The fields to change, at least one.",
      examples: [{ name: "Example", webhook_uri: "https://app.example.com/webhooks" }],
    });
}

/** What end users see of the client. */
function profileFields(fields: ReturnType<typeof clientFields>) {
  return {
    logo: fields.logo.optional().describe("A PNG up to 100 kB, in base64; null takes it away"),
    brand_color: fields.brand_color
      .optional()
      .describe(
        "The colour of buttons and links of the client's sign-in pages, where the operator allows it: such as " +
          "#1f5aa6, with a contrast of 4.5 on #f3f4f8. Null takes it away.",
      ),
    purpose: fields.purpose
      .optional()
      .describe("What the data is for: one sentence, shown to end users. Null takes it away."),
    privacy_url: fields.privacy_url
      .optional()
      .describe("Where the client says how it treats data: an https address, or null"),
    support_url: fields.support_url
      .optional()
      .describe("Where end users find help: an https address, or mailto:. Null takes it away."),
  };
}

function eventFields(fields: ReturnType<typeof clientFields>) {
  return {
    event_uri: fields.event_uri
      .optional()
      .describe("Where events are sent: an https address. Null switches that off."),
    event_types: fields.event_types
      .optional()
      .describe("The events that are sent to `event_uri`. Null means all."),
    event_status: z
      .string()
      .nullable()
      .optional()
      .describe("Read-only; taken, also as null, when it is unchanged"),
    poll_resources: fields.poll_resources
      .optional()
      .describe(
        "What is polled for changes, each of which is a `data.changed`. Null means the usual: employees, as long as " +
          "there is an address.",
      ),
  };
}

export type ClientUpdate = z.output<ReturnType<typeof clientUpdate>>;

interface Known {
  /** What a read of the client shows. The statuses of its addresses only where the body has them. */
  current: Record<"webhook_uri" | "event_uri" | "logo_url", string | null> & {
    client_id: string;
    webhook_status: string | null | undefined;
    event_status: string | null | undefined;
    poll_resources: readonly PollableResource[];
  };
  revealSecrets: () => readonly string[];
}

/** What an update changes. Throws InvalidRequest for a read-only field or a masked secret that was changed. */
export function readUpdate(
  body: ClientUpdate,
  { current, revealSecrets }: Known,
): ClientChange & { rotatesSecret: boolean } {
  for (const name of ["client_id", "webhook_status", "event_status", "logo_url"] as const)
    if (body[name] !== undefined && body[name] !== current[name])
      throw new InvalidRequest(`${name}: is read-only; leave it out or send it as it was read`);
  const rotatesSecret = body.rotate_secret === true;
  const given = body.client_secret === undefined ? undefined : [body.client_secret].flat();
  const secrets = given ? revealSecrets() : [];
  const chosen = given && unmask(given, secrets, Array.isArray(body.client_secret));
  const changesSecrets = chosen !== undefined && chosen.join(" ") !== secrets.join(" ");
  if (changesSecrets && rotatesSecret)
    throw new InvalidRequest("client_secret: cannot be changed together with rotate_secret");
  // An address without its status is set anew, also the same one, and ends a pause. With its status it was only sent
  // back.
  const isSentBack = body.webhook_status !== undefined && body.webhook_uri === current.webhook_uri;
  const areEventsSentBack = body.event_status !== undefined;
  return {
    name: body.name,
    webhookUri: isSentBack ? undefined : body.webhook_uri,
    eventUri:
      areEventsSentBack && body.event_uri === current.event_uri ? undefined : body.event_uri,
    eventTypes: body.event_types,
    pollResources:
      areEventsSentBack && isSameList(body.poll_resources, current.poll_resources)
        ? undefined
        : body.poll_resources,
    redirectUris: body.redirect_uris,
    logo: body.logo,
    brandColor: body.brand_color,
    purpose: body.purpose,
    privacyUrl: body.privacy_url,
    supportUrl: body.support_url,
    allowSandbox: body.allow_sandbox,
    fieldsOff: body.fields_off,
    secrets: changesSecrets ? chosen : undefined,
    rotatesSecret,
  };
}

function isSameList(
  given: readonly string[] | null | undefined,
  current: readonly string[],
): boolean {
  return given?.join(" ") === current.join(" ");
}

/** Masked secrets stand for the current ones that they were made of. */
function unmask(given: readonly string[], secrets: readonly string[], isList: boolean): string[] {
  const isUnchanged = given.join(" ") === secrets.map(maskSecret).join(" ");
  if (isUnchanged) return [...secrets];
  const chosen = given.map((value, index) => {
    if (!isMaskedSecret(value)) return value;
    const [meant, ...others] = secrets.filter((secret) => maskSecret(secret) === value);
    if (meant !== undefined && others.length === 0) return meant;
    throw new InvalidRequest(
      `client_secret${isList ? `.${index}` : ""}: is a masked secret of which no current one is meant; ` +
        "send it as it was read, or a whole secret",
    );
  });
  if (new Set(chosen).size < chosen.length)
    throw new InvalidRequest("client_secret: names a secret twice");
  return chosen;
}
