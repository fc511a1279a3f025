import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { fieldsByStatus } from "./refusals.ts";

interface Header {
  $ref?: string;
  required?: boolean;
  schema?: object;
}

interface Response {
  headers?: Record<string, Header>;
  content?: { "application/json"?: { schema: object } };
}

interface Described {
  paths: Record<
    string,
    Record<string, { requestBody?: object; responses: Record<string, Response> }>
  >;
  components: { schemas: Record<string, object>; headers: Record<string, Header> };
}

interface Observed {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Statuses of the transport. Any request can get them. */
const transportStatuses = new Set([405, 408, 414, 431]);
/** Of a body that is too large. An operation that takes none may get it as well. */
const tooLarge = 413;

/** Headers of HTTP itself and those for browsers, which no description lists. */
const transportHeaders = new Set([
  "access-control-allow-origin",
  "access-control-expose-headers",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "strict-transport-security",
  "transfer-encoding",
  "vary",
  "x-content-type-options",
]);

/** Checks that the OpenAPI description lists the status of a reply, and describes its headers and its body. */
export class DescriptionCheck {
  readonly #document: Described;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false });

  constructor(document: Described) {
    this.#document = document;
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema(document, "api");
  }

  verify(method: string, path: string, reply: Observed): void {
    const document = this.#document;
    const [pathname = "/"] = path.split("?", 1);
    if (pathname.startsWith("/docs") || pathname === "/openapi.json") return;
    const template = Object.keys(document.paths).find((candidate) =>
      new RegExp(`^${candidate.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(pathname),
    );
    const verb = method.toLowerCase() === "head" ? "get" : method.toLowerCase();
    const operation = template && document.paths[template]?.[verb];
    if (
      !operation ||
      transportStatuses.has(reply.status) ||
      (reply.status === tooLarge && !operation.requestBody)
    ) {
      checkFields(method, path, reply);
      return;
    }
    const name = `${method} ${template} ${reply.status}`;
    const response = operation.responses[reply.status];
    if (!response)
      throw new Error(
        `${method} ${template} answered ${reply.status}, which its description does not list`,
      );
    const place = ["paths", template, verb, "responses", String(reply.status)];
    this.#verifyHeaders(name, place, response.headers ?? {}, reply.headers);
    if (reply.body === undefined) return;
    if (!response.content?.["application/json"])
      throw new Error(`${name} has a body that its description does not list`);
    this.#expectValid(name, [...place, "content", "application/json", "schema"], reply.body);
  }

  #verifyHeaders(
    name: string,
    place: readonly string[],
    described: Record<string, Header>,
    observed: Record<string, unknown>,
  ): void {
    const known = new Set<string>();
    for (const [header, { $ref, ...own }] of Object.entries(described)) {
      known.add(header.toLowerCase());
      const shared = $ref?.slice("#/".length).split("/");
      const { required, schema } = shared ? this.#header(shared) : own;
      const value = observed[header.toLowerCase()];
      if (value === undefined && required) throw new Error(`${name} lacks the header ${header}`);
      if (value === undefined || !schema) continue;
      const isNumber = (schema as { type?: string }).type === "integer";
      const placeOfSchema = [...(shared ?? [...place, "headers", header]), "schema"];
      this.#expectValid(`${name} ${header}`, placeOfSchema, isNumber ? Number(value) : value);
    }
    for (const header of Object.keys(observed)) {
      if (!known.has(header) && !transportHeaders.has(header))
        throw new Error(`${name} has the header ${header}, which its description does not list`);
    }
  }

  #header(place: readonly string[]): Header {
    return this.#document.components.headers[place.at(-1) ?? ""] ?? {};
  }

  #expectValid(name: string, place: readonly string[], value: unknown): void {
    const validate = this.#validator(place);
    if (validate(value)) return;
    const errors = JSON.stringify(validate.errors?.slice(0, 3));
    throw new Error(`${name} is not as described: ${errors}`);
  }

  /** Of the schema at this place of the description, whose own references are looked up only where it leads. */
  #validator(place: readonly string[]): ValidateFunction {
    const pointer = place.map((part) =>
      encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")),
    );
    const key = `api#/${pointer.join("/")}`;
    const validator = this.#ajv.getSchema(key);
    if (!validator) throw new Error(`the description has no schema at ${key}`);
    return validator;
  }
}

const checks = new Map<string, Promise<DescriptionCheck>>();

/**
 * The check of all services of a program, by what the first of them describes: to make a description and to compile it
 * takes most of a second. What operators choose changes no operation, as `test/openapi.test.ts` proves.
 */
export async function checkOfProgram(
  program: string,
  describe: () => unknown,
): Promise<DescriptionCheck> {
  const made = checks.get(program) ?? makeCheck(describe);
  checks.set(program, made);
  try {
    return await made;
  } catch (error) {
    if (checks.get(program) === made) checks.delete(program);
    throw error;
  }
}

async function makeCheck(describe: () => unknown): Promise<DescriptionCheck> {
  return new DescriptionCheck((await describe()) as Described);
}

function checkFields(method: string, path: string, { status, body }: Observed): void {
  if (body === undefined) return;
  const expected = fieldsByStatus[status];
  const fields = Object.keys(body as object).sort();
  if (expected && fields.join() !== expected.join())
    throw new Error(`${method} ${path} answered ${status} with the fields ${fields.join()}`);
}
