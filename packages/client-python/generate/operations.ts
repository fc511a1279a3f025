import {
  answerOf,
  jsonOf,
  type Description,
  type Operation,
  type Parameter,
  type Schema,
} from "./description.ts";
import { propertiesOf, typeOf } from "./models.ts";
import { docstring } from "./text.ts";

/** Written by hand, because they are steps of a sign-in. */
export const byHand = new Set(["createToken"]);
/** POSTs that mean the same when they are sent twice. */
const repeatable = new Set(["disconnectToken"]);
/** After these there is nothing left of which a copy may be kept. */
const ending = new Set(["disconnectToken"]);
/** The member of an entry that asks for the page behind it. */
const cursors: Record<string, string> = { listTokens: "token" };

/** What differs between the two files. */
export interface Flavour {
  isAsync: boolean;
}

const callImport = "from .call import UNSET, Call, Unset, Waiting, quoted";

interface Described {
  method: string;
  path: string;
  operation: Operation;
}

interface Argument {
  name: string;
  annotation: string;
  default?: string;
  about: string;
}

export function writeOperations(description: Description, flavour: Flavour): string {
  const all = listOperations(description);
  const withToken = all.filter(({ operation }) => credentialOf(operation) === "bearer");
  const others = all.filter((described) => !withToken.includes(described));
  const { schemas } = description.components;
  const write = (described: Described): string => writeMethods(described, schemas, flavour);
  const prefix = flavour.isAsync ? "Async" : "";
  return [
    writeHead(description, flavour),
    `class ${prefix}ManagementOperations(${prefix}Sender):`,
    `    """What a client does with its own id and secret, and what needs no credential."""\n`,
    others.map(write).join("\n"),
    `\nclass ${prefix}ConnectionOperations(${prefix}Sender):`,
    `    """What the access token of a connection allows."""\n`,
    withToken.map(write).join("\n"),
  ].join("\n");
}

/** Each operation once: those of the mode \`official\` are those of \`xhr\`, at another path. */
function listOperations({ paths }: Description): Described[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter(
      ({ operation: { operationId } }) =>
        !byHand.has(operationId) && !operationId.endsWith("Official"),
    );
}

function writeHead(description: Description, { isAsync }: Flavour): string {
  const text = isAsync ? "awaited" : "called";
  const sender = isAsync ? "AsyncSender" : "Sender";
  const iterator = isAsync ? "AsyncIterator" : "Iterator";
  const event = isAsync ? "asyncio" : "threading";
  const names = Object.keys(description.components.schemas);
  const used = listOperations(description).flatMap(({ operation }) => [
    typeOf(answerOf(operation)),
    ...argumentsOf(operation, description.components.schemas).map(({ annotation }) => annotation),
  ]);
  const words = new Set(used.flatMap((type) => type.split(/\W+/)));
  const models = names.filter((name) => words.has(name)).toSorted();
  const typing = ["Any", "Literal"].filter((name) => words.has(name));
  const own = [`from .${isAsync ? "aio_sender" : "sender"} import ${sender}`, callImport];
  return `"""The operations of the API, ${text}. Written by \`npm run client:python\` from /openapi.json."""

import ${event}
from collections.abc import ${iterator}
from datetime import date
${typing.length > 0 ? `from typing import ${typing.join(", ")}\n` : ""}
${(isAsync ? own : own.slice(1)).join("\n")}
from .models import (
${models.map((name) => `    ${name},`).join("\n")}
)
from .reply import Reply${isAsync ? "" : `\n${own[0]}`}

`;
}

function writeMethods(
  described: Described,
  schemas: Record<string, Schema>,
  flavour: Flavour,
): string {
  const { operation } = described;
  const taken = argumentsOf(operation, schemas);
  const name = snakeCase(operation.operationId);
  const method = isData(described)
    ? writeDataMethod(described, name, taken, flavour)
    : writeMethod(described, name, taken, schemas, flavour);
  return isPaged(operation)
    ? `${method}\n${writeIteration(described, name, taken, flavour)}`
    : method;
}

function writeDataMethod(
  { path, operation }: Described,
  name: string,
  taken: readonly Argument[],
  { isAsync }: Flavour,
): string {
  const waits = hasHeader(operation, "Prefer");
  const event = isAsync ? "asyncio.Event" : "threading.Event";
  const options: Argument[] = waits
    ? [
        argument("wait", "float | None", "None", "How many seconds to wait for the data at most."),
        argument("fresh", "bool", "False", "Accepts only data of the last 60 seconds."),
        argument("ready", `${event} | None`, "None", "Is set when a `data.ready` event says so."),
      ]
    : [];
  const type = typeOf(answerOf(operation));
  const waiting = waits ? "Waiting(wait, fresh, ready)" : "Waiting()";
  const rest = path.replace(/^\/[\d-]+\/xhr/, "");
  const call = [
    `Call[${type}](`,
    `    "GET",`,
    `    f"{self.data_path}${rest}",`.replaceAll(/\{(\w+)\}/g, (whole, inner: string) =>
      whole === "{self.data_path}" ? whole : `{quoted(${inner})}`,
    ),
    ...queryOf(operation).map((line) => `    ${line}`),
    ...(waits ? ["    waits=True,"] : []),
    `)`,
  ];
  return writeDefinition(
    { name, returns: `Reply[${type}]`, about: operation, taken: [...taken, ...options], isAsync },
    [
      ...call.slice(0, -1).map((line, index) => (index === 0 ? `call = ${line}` : line)),
      ")",
      `return ${isAsync ? "await " : ""}self._read(call, ${waiting})`,
    ],
  );
}

function writeMethod(
  { method, path, operation }: Described,
  name: string,
  taken: readonly Argument[],
  schemas: Record<string, Schema>,
  { isAsync }: Flavour,
): string {
  const { operationId } = operation;
  const type = typeOf(answerOf(operation));
  const holds = hasHeader(operation, "Prefer");
  const body = Object.keys(propertiesOf(jsonOf(operation.requestBody), schemas)).filter((member) =>
    taken.some((one) => one.name === member),
  );
  const options = holds
    ? [argument("wait", "int | None", "None", "How many seconds an empty page is held open.")]
    : [];
  const lines = [
    `call = Call[${type}](`,
    `    "${method.toUpperCase()}",`,
    `    ${path.includes("{") ? "f" : ""}"${path.replaceAll(/\{(\w+)\}/g, "{quoted($1)}")}",`,
    `    credential="${credentialOf(operation)}",`,
    ...queryOf(operation).map((line) => `    ${line}`),
    ...(body.length > 0
      ? [`    body={`, ...body.map((member) => `        "${member}": ${member},`), `    },`]
      : []),
    ...(repeatable.has(operationId) ? ["    repeatable=True,"] : []),
    ...(ending.has(operationId) ? ["    ends_connection=True,"] : []),
    ...("202" in operation.responses ? ["    waits=True,"] : []),
    ...(holds ? ["    hold_seconds=wait,"] : []),
    `)`,
    `return ${isAsync ? "await " : ""}self._send(call)`,
  ];
  return writeDefinition(
    { name, returns: type, about: operation, taken: [...taken, ...options], isAsync },
    lines,
  );
}

function writeIteration(
  { operation }: Described,
  name: string,
  taken: readonly Argument[],
  { isAsync }: Flavour,
): string {
  const entry = typeOf(answerOf(operation).items ?? {});
  const filters = taken.filter((one) => !["after", "limit"].includes(one.name));
  const limit = operation.parameters?.find((parameter) => parameter.name === "limit");
  const longest = limit?.schema.maximum ?? 100;
  const cursor = cursors[operation.operationId] ?? "id";
  const passed = [
    ...filters.map((one) => `${one.name}=${one.name}`),
    `limit=${longest}`,
    "after=after",
  ].join(", ");
  return writeDefinition(
    {
      name: name.replace("list_", "iterate_"),
      returns: `${isAsync ? "AsyncIterator" : "Iterator"}[${entry}]`,
      about: {
        summary: `${operation.summary}, one after the other`,
        description: "Asks for page after page.",
      },
      taken: filters,
      isAsync,
    },
    [
      "after: str | None = None",
      "while True:",
      `    page = ${isAsync ? "await " : ""}self.${name}(${passed})`,
      ...(isAsync ? ["    for entry in page:", "        yield entry"] : ["    yield from page"]),
      `    if len(page) < ${longest}:`,
      "        return",
      `    after = page[-1]["${cursor}"]`,
    ],
  );
}

interface Definition {
  name: string;
  returns: string;
  about: Pick<Operation, "summary" | "description">;
  taken: readonly Argument[];
  isAsync: boolean;
}

function writeDefinition(definition: Definition, body: readonly string[]): string {
  const { name, returns, about, taken, isAsync } = definition;
  const positional = taken.filter((one) => one.default === undefined);
  const named = taken.filter((one) => one.default !== undefined);
  const parameters = [
    "self",
    ...positional.map((one) => `${one.name}: ${one.annotation}`),
    ...(named.length > 0 ? ["*"] : []),
    ...named.map((one) => `${one.name}: ${one.annotation} = ${one.default}`),
  ];
  const explained = taken.map((one) => `- \`${one.name}\`: ${one.about}`).join("\n");
  const texts = [`${about.summary}.`, about.description ?? "", explained].filter(Boolean);
  const start = `    ${isAsync ? "async " : ""}def ${name}(`;
  const head =
    parameters.length === 1
      ? [`${start}self) -> ${returns}:`]
      : [start, ...parameters.map((one) => `        ${one},`), `    ) -> ${returns}:`];
  return [
    ...head,
    docstring(texts.join("\n\n"), "        "),
    ...body.map((line) => `        ${line}`),
    "",
  ].join("\n");
}

const argument = (name: string, annotation: string, value: string, about: string): Argument => ({
  name,
  annotation,
  default: value,
  about,
});

/** The values of path, query and body; those without a default come first. */
function argumentsOf(operation: Operation, schemas: Record<string, Schema>): Argument[] {
  const parameters = (operation.parameters ?? [])
    .filter((parameter) => parameter.in !== "header")
    .map(argumentOfParameter);
  const body = jsonOf(operation.requestBody);
  const required = new Set(requiredOf(body, schemas));
  const members = Object.entries(propertiesOf(body, schemas))
    .filter(([, { description = "" }]) => !description.startsWith("Read-only"))
    .map(([name, schema]) => {
      const about = schema.description ?? "";
      return required.has(name)
        ? { name, annotation: typeOf(schema), about }
        : argument(name, `${typeOf(schema)} | Unset`, "UNSET", about);
    });
  return [...parameters, ...members];
}

function requiredOf(body: Schema | undefined, schemas: Record<string, Schema>): readonly string[] {
  const schema = body?.$ref ? schemas[body.$ref.split("/").at(-1) ?? ""] : body;
  return schema?.required ?? [];
}

function argumentOfParameter({ name, required, description = "", schema }: Parameter): Argument {
  const type = schema.format === "date" ? "date | str" : typeOf(schema);
  return required
    ? { name, annotation: type, about: description }
    : argument(name, `${type} | None`, "None", description);
}

function queryOf({ parameters = [] }: Operation): string[] {
  const names = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  return names.length === 0
    ? []
    : [`query={${names.map((name) => `"${name}": ${name}`).join(", ")}},`];
}

const hasHeader = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.in === "header" && parameter.name === name);

const isData = ({ path }: Described): boolean => /^\/[\d-]+\/xhr\//.test(path);

const isPaged = (operation: Operation): boolean =>
  answerOf(operation).type === "array" &&
  (operation.parameters ?? []).some(({ name }) => name === "after");

function credentialOf({ security }: Operation): string {
  return Object.keys(security[0] ?? {})[0] ?? "none";
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
