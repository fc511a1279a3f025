// Writes the collection of requests for API tools (Postman, Bruno, Insomnia) from `/openapi.json`.

interface Schema {
  $ref?: string;
  examples?: readonly Record<string, unknown>[];
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  example?: string | number;
}

interface Operation {
  summary: string;
  tags: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security?: readonly Record<string, unknown>[];
}

export interface Description {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Entry {
  name: string;
  request: Record<string, unknown>;
}

/** What the reader fills in. Never a value: the file is shared. */
const variables: Record<string, string> = {
  base_url: "http://127.0.0.1:3000",
  client_id: "",
  client_secret: "",
  access_token: "",
  code: "",
  redirect_uri: "",
};
/** Members of example bodies whose value is a variable. */
const filledIn = ["client_id", "client_secret", "redirect_uri"];
/** Another `code` than that of an exchange is a word of the API. */
const filledInOfExchange = [...filledIn, "code"];

export function writeCollection({ info, paths, components }: Description): string {
  const folders = new Map<string, Entry[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const folder = operation.tags[0] ?? "";
      const entry = describeRequest(method, path, operation, components.schemas);
      folders.set(folder, [...(folders.get(folder) ?? []), entry]);
    }
  const collection = {
    info: {
      name: `Rollcall ${info.version}`,
      description: "Written by `npm run collection` from /openapi.json.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: [...folders].map(([name, item]) => ({ name, item })),
  };
  return `${JSON.stringify(collection, null, 1)}\n`;
}

function describeRequest(
  method: string,
  path: string,
  operation: Operation,
  schemas: Record<string, Schema>,
): Entry {
  const { summary, parameters = [] } = operation;
  const of = (place: Parameter["in"]) => parameters.filter((parameter) => parameter.in === place);
  const body = exampleOf(operation, schemas);
  const waits = of("header").some(({ name }) => name === "Prefer");
  const header = [
    ...(waits ? [{ key: "Prefer", value: "wait=20" }] : []),
    ...(body ? [{ key: "Content-Type", value: "application/json" }] : []),
  ];
  const request = {
    method: method.toUpperCase(),
    auth: credentialOf(operation),
    ...(header.length > 0 && { header }),
    url: describeUrl(path, of("path"), of("query")),
    ...(body && { body: { mode: "raw", raw: JSON.stringify(body, null, 2) } }),
  };
  return { name: summary, request };
}

function describeUrl(path: string, inPath: readonly Parameter[], query: readonly Parameter[]) {
  const named = path.replaceAll(/\{([a-z_]+)\}/g, ":$1");
  const values = (parameters: readonly Parameter[]) =>
    parameters.map(({ name, example, required }) => ({
      key: name,
      value: String(example ?? ""),
      ...(required !== true && { disabled: true }),
    }));
  const asked = query.filter(({ required }) => required);
  const search = asked.map(({ name, example }) => `${name}=${String(example ?? "")}`).join("&");
  return {
    raw: `{{base_url}}${named}${search && `?${search}`}`,
    host: ["{{base_url}}"],
    path: named.slice(1).split("/"),
    ...(query.length > 0 && { query: values(query) }),
    ...(inPath.length > 0 && { variable: values(inPath) }),
  };
}

function exampleOf(
  { requestBody }: Operation,
  schemas: Record<string, Schema>,
): Record<string, unknown> | undefined {
  const schema = requestBody?.content["application/json"]?.schema;
  const named = schema?.$ref ? schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  const example = named?.examples?.[0];
  if (!example) return undefined;
  const { code_verifier: _, ...members } = example;
  const filled = "grant_type" in example ? filledInOfExchange : filledIn;
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      filled.includes(name) ? `{{${name}}}` : value,
    ]),
  );
}

function credentialOf({ security = [] }: Operation): Record<string, unknown> {
  const scheme = Object.keys(security[0] ?? {})[0];
  if (scheme === "bearer")
    return {
      type: "bearer",
      bearer: [{ key: "token", value: "{{access_token}}", type: "string" }],
    };
  if (scheme !== "basic") return { type: "noauth" };
  const [username, password] = [
    { key: "username", value: "{{client_id}}", type: "string" },
    { key: "password", value: "{{client_secret}}", type: "string" },
  ];
  return { type: "basic", basic: [username, password] };
}
