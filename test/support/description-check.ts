import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { fieldsByStatus } from "./refusals.ts";

interface Described {
  paths: Record<
    string,
    Record<
      string,
      { responses: Record<string, { content?: { "application/json"?: { schema: object } } }> }
    >
  >;
  components: { schemas: Record<string, object> };
}

interface Observed {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Statuses of the transport. Any request can get them. */
const transportStatuses = new Set([304, 405, 408, 413, 414, 415, 431]);

/** Checks that the OpenAPI description lists the status of a reply and describes its body. */
export class DescriptionCheck {
  readonly #describe: () => Described;
  #document: Described | undefined;
  #ajv: Ajv2020 | undefined;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(describe: () => Described) {
    this.#describe = describe;
  }

  verify(method: string, path: string, reply: Observed): void {
    const document = (this.#document ??= this.#describe());
    const [pathname = "/"] = path.split("?", 1);
    if (pathname.startsWith("/docs") || pathname === "/openapi.json" || reply.body === undefined)
      return;
    const template = Object.keys(document.paths).find((candidate) =>
      new RegExp(`^${candidate.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(pathname),
    );
    const operation = template && document.paths[template]?.[method.toLowerCase()];
    if (!operation || transportStatuses.has(reply.status)) {
      checkFields(method, path, reply);
      return;
    }
    const schema = operation.responses[reply.status]?.content?.["application/json"]?.schema;
    if (!schema)
      throw new Error(
        `${method} ${template} answered ${reply.status}, which its description does not list`,
      );
    const validate = this.#validator(`${method} ${template} ${reply.status}`, schema, document);
    if (!validate(reply.body)) {
      const errors = JSON.stringify(validate.errors?.slice(0, 3));
      throw new Error(`${method} ${template} ${reply.status} is not as described: ${errors}`);
    }
  }

  #validator(key: string, schema: object, document: Described): ValidateFunction {
    const known = this.#validators.get(key);
    if (known) return known;
    if (!this.#ajv) {
      this.#ajv = new Ajv2020({ strict: false, allErrors: false });
      (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    }
    const validator = this.#ajv.compile({
      ...schema,
      components: { schemas: document.components.schemas },
    });
    this.#validators.set(key, validator);
    return validator;
  }
}

function checkFields(method: string, path: string, { status, body }: Observed): void {
  const expected = fieldsByStatus[status];
  const fields = Object.keys(body as object).sort();
  if (expected && fields.join() !== expected.join())
    throw new Error(`${method} ${path} answered ${status} with the fields ${fields.join()}`);
}
