import { resolve, type ApiDocument, type Media, type Schema } from "./api-document.ts";

/** The example of a body or of a parameter: its own, else that of its schema. Every one has one of these. */
export function exampleOf({ example, schema = {} }: Media, document: ApiDocument): unknown {
  return example ?? exampleOfSchema(schema, document);
}

function exampleOfSchema(given: Schema, document: ApiDocument): unknown {
  const schema = resolve(given, document);
  const own = schema.examples?.[0] ?? schema.example ?? schema.const ?? schema.default;
  return own === undefined && schema.items ? [exampleOfSchema(schema.items, document)] : own;
}
