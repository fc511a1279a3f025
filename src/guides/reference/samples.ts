import { printLiteral, type LiteralStyle } from "./print-literal.ts";
import type { SampleRequest } from "./sample-request.ts";

export interface Sample {
  name: string;
  /** For the highlighter. */
  language: string;
  code: string;
}

/** The same request in each language. A test runs them all. */
export function writeSamples(request: SampleRequest): Sample[] {
  return [
    { name: "curl", language: "bash", code: writeCurl(request) },
    { name: "TypeScript", language: "typescript", code: writeTypeScript(request) },
    { name: "Python", language: "python", code: writePython(request) },
  ];
}

const variable = /\$\{(\w+)\}/g;

function writeCurl({ method, url, authorization, headers, body }: SampleRequest): string {
  const quote = (text: string): string =>
    `"${text.replaceAll(/["\\`]/g, String.raw`\$&`).replaceAll(variable, "$$$1")}"`;
  const credentials = {
    bearer: ['-H "Authorization: Bearer $TOKEN"'],
    basic: ['-u "$CLIENT_ID:$CLIENT_SECRET"'],
    none: [],
  };
  const lines = [
    `curl --fail-with-body${method === "GET" ? "" : ` -X ${method}`}`,
    quote(url),
    ...credentials[authorization],
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body ? ['-H "Content-Type: application/json"', "-d @- <<JSON"] : []),
  ];
  const text = lines.join(" \\\n  ");
  if (!body) return `${text}\n`;
  const json = JSON.stringify(body, null, 2).replaceAll(/[\\`]|\$(?!\{)/g, String.raw`\$&`);
  return `${text}\n${json.replaceAll(variable, "$$$1")}\nJSON\n`;
}

const typeScript: LiteralStyle = {
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
  text: (text) => {
    if (!text.includes("${")) return JSON.stringify(text);
    const [, whole] = /^\$\{(\w+)\}$/.exec(text) ?? [];
    const escaped = text.replaceAll(/[\\`]/g, String.raw`\$&`);
    return whole ? `env.${whole}` : `\`${escaped.replaceAll(variable, "${env.$1}")}\``;
  },
  word: JSON.stringify,
};

function writeTypeScript({ url, mayWait, ...request }: SampleRequest): string {
  const { method, authorization, body } = request;
  const values = {
    bearer: ["Authorization: `Bearer ${env.TOKEN}`"],
    basic: ["Authorization: `Basic ${btoa(`${env.CLIENT_ID}:${env.CLIENT_SECRET}`)}`"],
    none: [],
  };
  const headers = [
    ...values[authorization],
    ...Object.entries(request.headers).map(
      ([name, value]) => `${typeScript.key(name)}: "${value}"`,
    ),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0
      ? ["  headers: {", ...headers.map((line) => `    ${line},`), "  },"]
      : []),
    ...(body ? [`  body: JSON.stringify(${printLiteral(body, typeScript, "  ")}),`] : []),
  ];
  const address = typeScript.text(url);
  const call =
    options.length > 0 ? `fetch(${address}, {\n${options.join("\n")}\n})` : `fetch(${address})`;
  const imports = [
    ...(/\benv\./.test(call) ? ['import { env } from "node:process";'] : []),
    ...(mayWait ? ['import { setTimeout as wait } from "node:timers/promises";'] : []),
  ];
  return [
    ...imports,
    ...(imports.length > 0 ? [""] : []),
    ...(mayWait ? typeScriptLoop(call) : [`const response = await ${call};`]),
    "if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);",
    "console.log(await response.json());",
    "",
  ].join("\n");
}

function typeScriptLoop(call: string): string[] {
  return [
    "const read = () =>",
    indent(`${call};`),
    "",
    "let response = await read();",
    "while (response.status === 202) {",
    '  await wait(Number(response.headers.get("retry-after")) * 1000);',
    "  response = await read();",
    "}",
  ];
}

const python: LiteralStyle = {
  key: (name) => JSON.stringify(name),
  text: (text) => {
    if (!text.includes("${")) return JSON.stringify(text);
    const [, whole] = /^\$\{(\w+)\}$/.exec(text) ?? [];
    return whole
      ? `os.environ["${whole}"]`
      : `f"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(variable, "{os.environ['$1']}")}"`;
  },
  word: (value) =>
    value === null ? "None" : value === true ? "True" : value === false ? "False" : String(value),
};

function writePython({ url, mayWait, ...request }: SampleRequest): string {
  const { method, authorization, body } = request;
  const values = {
    bearer: [`"Authorization": f"Bearer {os.environ['TOKEN']}"`],
    basic: ['"Authorization": f"Basic {credentials}"'],
    none: [],
  };
  const headers = [
    ...values[authorization],
    ...Object.entries(request.headers).map(([name, value]) => `"${name}": "${value}"`),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ];
  const options = [
    `    ${python.text(url)},`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    ...(headers.length > 0
      ? ["    headers={", ...headers.map((line) => `        ${line},`), "    },"]
      : []),
    ...(body ? [`    data=json.dumps(${printLiteral(body, python, "    ")}).encode(),`] : []),
  ];
  const call = `request = urllib.request.Request(\n${options.join("\n")}\n)`;
  const usesEnvironment = /os\.environ/.test(call) || authorization === "basic";
  return [
    ...(authorization === "basic" ? ["import base64"] : []),
    "import json",
    ...(usesEnvironment ? ["import os"] : []),
    ...(mayWait ? ["import time"] : []),
    "import urllib.request",
    "",
    ...(authorization === "basic"
      ? [
          "pair = f\"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}\"",
          "credentials = base64.b64encode(pair.encode()).decode()",
        ]
      : []),
    call,
    ...(mayWait ? pythonLoop : pythonRead),
    "print(answer)",
    "",
  ].join("\n");
}

const pythonRead = [
  "with urllib.request.urlopen(request) as response:",
  "    answer = json.load(response)",
];
const pythonLoop = [
  "while True:",
  ...pythonRead.map((line) => `    ${line}`),
  "    if response.status != 202:",
  "        break",
  '    time.sleep(int(response.headers["Retry-After"]))',
];

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
