import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import {
  AuthError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  type ProviderFailure,
} from "../errors.ts";

type Response = Awaited<ReturnType<ProviderHttp["request"]>>;

export const fault = z.object({
  name: z.string().catch(""),
  message: z.string().catch(""),
  arguments: z.array(z.unknown()).catch([]),
});
const reply = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), data: fault }).optional(),
});

/**
 * A failure, which Odoo sends with status 200. Only its kind is passed on: the message may quote a
 * record.
 */
export interface OdooFault {
  code: number;
  name: string;
  message: string;
  arguments: unknown[];
}

export type OdooReply = { result: unknown } | { fault: OdooFault };

export function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

/** Null when the answer is not JSON-RPC and therefore not from Odoo. */
export function readReply(response: Response): OdooReply | null {
  if (response.status !== 200 || !(response.headers["content-type"] ?? "").includes("json"))
    return null;
  const { data } = reply.safeParse(response.json());
  if (!data) return null;
  return data.error
    ? { fault: { code: data.error.code, ...data.error.data } }
    : { result: data.result };
}

/** Turns the fault of a call on a model into an error of the contract. */
export function toFailure(fault: OdooFault, model: string): ProviderFailure {
  if (isSessionExpired(fault)) return new AuthError("reauthentication_required");
  if (isNamed(fault, "AccessDenied")) return new AuthError("reauthentication_required");
  if (isNamed(fault, "AccessError")) return new AuthError("insufficient_permission");
  if (isModelMissing(fault, model)) return new OperationNotSupported("the model is not installed");
  if (fault.name.startsWith("psycopg2.")) return new ProviderDown("Odoo's database fails");
  return new ProviderBug("Odoo answered with an unknown fault");
}

export function isSessionExpired(fault: OdooFault): boolean {
  return fault.code === 100 || isNamed(fault, "SessionExpiredException");
}

/** Odoo refuses a call in a language that is not installed. The sentence names the language. */
export function isLanguageMissing(fault: OdooFault, language: string): boolean {
  return isNamed(fault, "UserError") && fault.message.includes(language);
}

/** Compares the last part of the class's name, because its module differs between versions. */
export function isNamed(fault: OdooFault, name: string): boolean {
  return fault.name.split(".").at(-1) === name;
}

/**
 * Newer servers answer 404; older ones raise a KeyError for the model. The JSON-2 API answers 404 for a method and a
 * record that are missing too.
 */
function isModelMissing(fault: OdooFault, model: string): boolean {
  if (isNamed(fault, "KeyError")) return fault.arguments[0] === model;
  const isOfMethod = fault.message.includes(`'${model}.`);
  return fault.code === 404 && isNamed(fault, "NotFound") && !isOfMethod;
}
