import type { ApiDocument, Parameter } from "./api-document.ts";
import { exampleOf } from "./examples.ts";
import type { Operation } from "./operations.ts";

/** A request of an operation that works. In its texts, `${NAME}` is a variable of the environment. */
export interface SampleRequest {
  method: string;
  url: string;
  authorization: "bearer" | "basic" | "none";
  headers: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>> | undefined;
  /** The operation may answer 202. Then the sample repeats the request. */
  mayWait: boolean;
}

const waitSeconds = 20;
/** Fields of bodies that name something of the caller's own. */
const ownFields = new Set(["client_id", "client_secret", "code", "redirect_uri"]);

export function sampleRequest(
  { method, path, described }: Operation,
  document: ApiDocument,
): SampleRequest {
  const parameters = described.parameters ?? [];
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map((parameter) => `${parameter.name}=${valueOf(parameter, path, document)}`);
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${variableOf(name, path)}}`);
  const mayWait = "202" in described.responses;
  const schemes = (described.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const isOptional = described.security?.some((scheme) => Object.keys(scheme).length === 0);
  return {
    method,
    url: `${document.servers?.[0]?.url ?? ""}${url}${query.length > 0 ? `?${query.join("&")}` : ""}`,
    authorization: isOptional
      ? "none"
      : (schemes.find((scheme) => scheme === "bearer" || scheme === "basic") ?? "none"),
    headers: mayWait ? { Prefer: `wait=${waitSeconds}` } : {},
    body: bodyOf(described.requestBody?.content["application/json"], document),
    mayWait,
  };
}

/** The names of the variables that a sample reads. */
export function variablesOf({ authorization, url, body }: SampleRequest): string[] {
  const named = [...`${url} ${JSON.stringify(body ?? {})}`.matchAll(/\$\{(\w+)\}/g)].map(
    ([, name = ""]) => name,
  );
  const credentials = { bearer: ["TOKEN"], basic: ["CLIENT_ID", "CLIENT_SECRET"], none: [] };
  return [...new Set([...credentials[authorization], ...named])];
}

/** `id` on `/employee` is EMPLOYEE_ID. */
function variableOf(name: string, path: string): string {
  const noun = path.split("/").at(-1) ?? "";
  return (name === "id" ? `${noun}_id` : name).replaceAll(/\W/g, "_").toUpperCase();
}

function valueOf({ name, schema = {}, ...given }: Parameter, path: string, document: ApiDocument) {
  if (/(?:^|_)id$/.test(name)) return `\${${variableOf(name, path)}}`;
  const value = exampleOf({ ...given, schema }, document);
  const isLastDay = schema.format === "date" && name.startsWith("end");
  return encodeURIComponent(String(isLastDay ? lastDayOf(String(value)) : value));
}

/** A range that begins and ends with one example has a month. */
function lastDayOf(day: string): string {
  const [year = 2026, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function bodyOf(
  media: Parameters<typeof exampleOf>[0] | undefined,
  document: ApiDocument,
): SampleRequest["body"] {
  if (!media) return undefined;
  return Object.fromEntries(
    Object.entries(exampleOf(media, document) as Record<string, unknown>).map(([name, value]) => [
      name,
      ownFields.has(name) ? `\${${name.toUpperCase()}}` : value,
    ]),
  );
}
