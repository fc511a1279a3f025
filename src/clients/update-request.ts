import { z } from "zod";
import { InvalidRequest } from "../model/index.ts";
import { clientFields, type AddressRules } from "./client-fields.ts";
import { isMaskedSecret, maskSecret } from "./client-secret.ts";
import type { ClientChange } from "./clients.ts";

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
      redirect_uris: fields.redirect_uris
        .optional()
        .describe("All addresses to which a sign-in may lead back: https, or http on loopback"),
      logo: fields.logo.optional().describe("A PNG up to 100 kB, in base64; null takes it away"),
      purpose: fields.purpose
        .optional()
        .describe("What the data is for: one sentence, shown to end users. Null takes it away."),
      privacy_url: fields.privacy_url
        .optional()
        .describe("Where the client says how it treats data: an https address, or null"),
      support_url: fields.support_url
        .optional()
        .describe("Where end users find help: an https address, or mailto:. Null takes it away."),
      allow_sandbox: z
        .boolean()
        .optional()
        .describe("Whether end users may sign in to the sandbox in the environment `prod`"),
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

type ClientUpdate = z.output<ReturnType<typeof clientUpdate>>;

interface Known {
  /** What a read of the client shows. The status of the webhooks only where the body has it. */
  current: Record<"webhook_uri" | "logo_url", string | null> & {
    client_id: string;
    webhook_status: string | null | undefined;
  };
  revealSecrets: () => readonly string[];
}

/** What an update changes. Throws InvalidRequest for a read-only field or a masked secret that was changed. */
export function readUpdate(
  body: ClientUpdate,
  { current, revealSecrets }: Known,
): ClientChange & { rotatesSecret: boolean } {
  for (const name of ["client_id", "webhook_status", "logo_url"] as const)
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
  return {
    name: body.name,
    webhookUri: isSentBack ? undefined : body.webhook_uri,
    redirectUris: body.redirect_uris,
    logo: body.logo,
    purpose: body.purpose,
    privacyUrl: body.privacy_url,
    supportUrl: body.support_url,
    allowSandbox: body.allow_sandbox,
    secrets: changesSecrets ? chosen : undefined,
    rotatesSecret,
  };
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
