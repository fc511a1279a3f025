import { z } from "zod";
import {
  eventType,
  fieldOff,
  fieldsToSwitch,
  pollableResource,
  type ClientId,
} from "../model/index.ts";
import { isPlainText } from "../platform/plain-text.ts";
import { textColor } from "../platform/html/index.ts";
import { isMaskedSecret } from "./client-secret.ts";
import { decodeLogo } from "./logo.ts";
import { estimateBits } from "./estimate-bits.ts";

export interface AddressRules {
  /** In local mode. */
  allowsHttpWebhooks: boolean;
  /** False for an address to which no webhook of the client can ever get. */
  canReach(url: URL, clientId: ClientId): boolean;
}

const maxAddressLength = 2_048;

const name = shownText(100);
const purpose = shownText(200);

const logo = z.string().refine((value) => decodeLogo(value) !== undefined, {
  error: "is a PNG in base64, up to 100 kB, 16 to 1,024 pixels wide and high",
});

const privacyUrl = z.string().refine((value) => parseAddress(value)?.protocol === "https:", {
  error: "is an https address in ASCII, without user information",
});

const supportUrl = z
  .string()
  .refine((value) => parseAddress(value)?.protocol === "https:" || isMailAddress(value), {
    error: "is an https address in ASCII, without user information, or mailto: with one address",
  });

const secretRule =
  "has 32 to 255 printable ASCII characters without spaces, at random: at least 128 bits by our estimate";

/** A masked secret stands for the current secret that it was made of. Whoever reads the body finds that one. */
const secret = z
  .string()
  .refine(
    (value) => isMaskedSecret(value) || (/^[\x21-\x7e]{32,255}$/.test(value) && isStrong(value)),
    { error: secretRule },
  );

const secretList = z
  .array(secret)
  .min(1)
  .max(3)
  .refine((values) => isDistinct(values.filter((value) => !isMaskedSecret(value))), {
    error: "names a secret twice",
  });

const secrets = z.union([secret, secretList], {
  error: `is a string or a list of 1 to 3 different strings, each of which ${secretRule}`,
});

const redirectUri = z.string().refine(isRedirectUri, {
  error:
    "is an https address, or http on loopback, in ASCII, without fragment and user information",
});

const redirectUris = z
  .array(redirectUri)
  .min(1)
  .max(10)
  .refine(isDistinct, { error: "names an address twice" });

const fieldsOff = z
  .array(fieldOff, { error: `is a list of ${fieldsToSwitch.join(", ")}` })
  .max(fieldsToSwitch.length)
  .refine(isDistinct, { error: "names a field twice" });

const eventTypeList = z
  .array(eventType)
  .max(eventType.options.length)
  .min(1, { error: "names no type; null means all of them" })
  .refine(isDistinct, { error: "names a type twice" });

const pollResourceList = z
  .array(pollableResource)
  .max(pollableResource.options.length)
  .refine(isDistinct, { error: "names a resource twice" });

/** The schemas of a client's fields, by their names on the wire. */
export function clientFields(rules: AddressRules) {
  const webhookUri = z.string().refine((value) => isWebhookUri(value, rules), {
    error: rules.allowsHttpWebhooks
      ? "is an http or https address in ASCII, without user information"
      : "is an https address in ASCII, without user information",
  });
  return {
    name,
    client_secret: secrets,
    webhook_uri: webhookUri.nullable(),
    event_uri: webhookUri.nullable(),
    event_types: eventTypeList.nullable(),
    poll_resources: pollResourceList.nullable(),
    redirect_uris: redirectUris,
    fields_off: fieldsOff,
    logo: logo.nullable(),
    brand_color: textColor.nullable(),
    purpose: purpose.nullable(),
    privacy_url: privacyUrl.nullable(),
    support_url: supportUrl.nullable(),
  };
}

/** A text that end users read on a page of ours. */
function shownText(maxLength: number) {
  return z
    .string()
    .refine(isPlainText, {
      error: "holds characters that are not allowed: control, bidirectional or zero-width ones",
    })
    .refine((value) => value.trim() !== "" && [...value].length <= maxLength, {
      error: `has 1 to ${maxLength} characters`,
    });
}

/** Without the parameters that would fill in a message. */
function isMailAddress(value: string): boolean {
  return (
    value.length <= 320 && /^mailto:[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(value)
  );
}

function isDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

function isStrong(secret: string): boolean {
  return estimateBits(secret) >= 128;
}

function isRedirectUri(value: string): boolean {
  const url = parseAddress(value);
  if (!url || value.includes("#")) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
}

function isWebhookUri(value: string, { allowsHttpWebhooks }: AddressRules): boolean {
  const url = parseAddress(value);
  return (
    url !== undefined &&
    (url.protocol === "https:" || (allowsHttpWebhooks && url.protocol === "http:"))
  );
}

function parseAddress(value: string): URL | undefined {
  if (
    value.length > maxAddressLength ||
    !/^https?:\/\/[^/?#\\][^\\]*$/.test(value) ||
    !/^[\x21-\x7e]+$/.test(value)
  )
    return undefined;
  const url = URL.parse(value);
  return url && url.username === "" && url.password === "" && !/^[a-z]+:\/\/[^/?#]*@/i.test(value)
    ? url
    : undefined;
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
