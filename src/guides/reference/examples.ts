import { resolve, type ApiDocument, type Media, type Schema } from "./api-document.ts";

const deepest = 8;

/** The example of a body: its own, else that of its schema, else one that is put together from the parts. */
export function exampleOf(media: Media, document: ApiDocument): unknown {
  return givenExample(media) ?? exampleOfSchema(media.schema ?? {}, document);
}

function givenExample({ example, examples }: Media): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value;
}

export function exampleOfSchema(given: Schema, document: ApiDocument, depth = 0): unknown {
  const schema = resolve(given, document);
  const own = schema.examples?.[0] ?? schema.example ?? schema.const ?? schema.default;
  if (own !== undefined) return own;
  if (schema.enum) return schema.enum[0];
  if (depth > deepest) return null;
  const choice = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0];
  if (choice) return exampleOfSchema(choice, document, depth + 1);
  const [type] = [schema.type ?? []].flat();
  if (schema.items) return [exampleOfSchema(schema.items, document, depth + 1)];
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [
        name,
        exampleOfSchema(inner, document, depth + 1),
      ]),
    );
  if (type === "object") return {};
  if (type === "array") return [];
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  return type === "boolean" ? true : "…";
}
