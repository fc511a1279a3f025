import type { FastifyRequest } from "fastify";
import { Forbidden } from "../../model/index.ts";
import { isSameDigest } from "../../platform/crypto/index.ts";

export type Form = Readonly<Record<string, string | string[] | undefined>>;

/** The form is nobody's who may send it. */
export class ForeignForm extends Forbidden {}

/** Throws ForeignForm for a form that another page sent, or that was shown to another browser. */
export function checkForm(
  request: FastifyRequest,
  {
    formToken,
    isOwnOrigin,
  }: { formToken: string; isOwnOrigin: (request: FastifyRequest) => boolean },
): void {
  const { form_token: token } = formOf(request);
  const isOurs =
    typeof token === "string" &&
    isSameDigest(Buffer.from(token), Buffer.from(formToken)) &&
    isOwnOrigin(request);
  if (!isOurs) throw new ForeignForm("The form was not sent by a page of the console.");
}

/**
 * Whether the page that sent the request is one of the console. A browser names the origin with every form. In local
 * mode a person may have opened the service by any name of this machine.
 */
export function originCheck({
  publicUrl,
  isLocal,
}: {
  publicUrl: string;
  isLocal: boolean;
}): (request: FastifyRequest) => boolean {
  const { origin: own } = new URL(publicUrl);
  return ({ headers }) => {
    const { origin, host } = headers;
    if (origin === own) return true;
    const named = isLocal && origin !== undefined ? URL.parse(origin) : undefined;
    return named?.host === host && isLoopbackName(named?.hostname);
  };
}

function isLoopbackName(hostname: string | undefined): boolean {
  return hostname !== undefined && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

export function formOf(request: FastifyRequest): Form {
  const { body } = request;
  return typeof body === "object" && body !== null ? (body as Form) : {};
}

/** Of a field that was sent once. Empty when it is missing. */
export function textOf(form: Form, name: string): string {
  const value = form[name];
  return typeof value === "string" ? value.trim() : "";
}
