import { z } from "zod";
import type { ProviderHttp, ProviderResponse } from "../../platform/outbound/index.ts";
import {
  AuthError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
  type ProviderFailure,
} from "../errors.ts";

export const faultData = z.object({
  name: z.string().catch(""),
  message: z.string().catch(""),
  arguments: z.array(z.unknown()).catch([]),
});
const reply = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), data: faultData }).optional(),
});

/** A failure. Only its kind is passed on: the message may quote a record. */
export interface OdooFault extends z.output<typeof faultData> {
  code: number;
}

export type OdooReply = { result: unknown } | { fault: OdooFault };

interface RpcRequest {
  path: string;
  params?: object;
  /** Odoo repeats it in its answer. */
  id?: string | null;
  isIdempotent?: boolean;
}

/** Calls JSON-RPC, which answers with status 200 whatever comes. */
function postRpc(
  http: ProviderHttp,
  url: string,
  { path, params = {}, id = null, isIdempotent = true }: RpcRequest,
): Promise<ProviderResponse> {
  const json = { jsonrpc: "2.0", id, method: "call", params };
  return http.request({ method: "POST", url: url + path, json, isIdempotent });
}

/** Calls JSON-RPC with the cookie of a session. */
export async function callRpc(
  http: ProviderHttp,
  url: string,
  request: RpcRequest,
): Promise<OdooReply> {
  const response = await postRpc(http, url, request);
  const answer = readReply(response);
  if (answer) return answer;
  // A server with several databases answers 404 when the cookie names none of them.
  if (response.status === 404) throw new AuthError("reauthentication_required");
  throw new ProviderBug("the answer is not JSON-RPC");
}

/** Null when the answer is not from Odoo. */
export async function callStranger(
  http: ProviderHttp,
  url: string,
  request: RpcRequest,
): Promise<OdooReply | null> {
  return readReply(await postRpc(http, url, request));
}

/** Null when the answer is not JSON-RPC and therefore not from Odoo. */
function readReply(response: ProviderResponse): OdooReply | null {
  if (response.status !== 200 || !isJson(response)) return null;
  const { data } = reply.safeParse(response.json());
  if (!data) return null;
  return data.error
    ? { fault: { code: data.error.code, ...data.error.data } }
    : { result: data.result };
}

export function isJson({ headers }: ProviderResponse): boolean {
  return (headers["content-type"] ?? "").includes("json");
}

/** The result of a call on a model. Throws an error of the contract for a fault. */
export function resultOf(answer: OdooReply, model = "res.users"): unknown {
  if ("fault" in answer) throw toFailure(answer.fault, model);
  return answer.result;
}

function toFailure(fault: OdooFault, model: string): ProviderFailure {
  const isEnded = fault.code === 100 || isNamed(fault, "SessionExpiredException", "AccessDenied");
  if (isEnded) return new AuthError("reauthentication_required");
  if (isNamed(fault, "AccessError")) return new AuthError("insufficient_permission");
  if (isModelMissing(fault, model)) return new OperationNotSupported("the model is not installed");
  return toOtherFailure(fault, "Odoo answered with an unknown fault");
}

export function toOtherFailure(fault: OdooFault, otherwise: string): ProviderFailure {
  if (fault.name.startsWith("psycopg2.")) return new ProviderDown("Odoo's database fails");
  return new ProviderBug(otherwise);
}

/** Odoo refuses a call in a language that is not installed. The sentence names the language. */
export function isLanguageMissing(fault: OdooFault, language: string): boolean {
  return isNamed(fault, "UserError") && fault.message.includes(language);
}

/** Compares the last part of the class's name, because its module differs between versions. */
export function isNamed({ name }: OdooFault, ...names: readonly string[]): boolean {
  return names.includes(name.split(".").at(-1) ?? "");
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

/** Whether a session, or what the person typed, is not accepted any more. */
export function isRefused(error: unknown): boolean {
  return error instanceof AuthError && error.code === "reauthentication_required";
}
