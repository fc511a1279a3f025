import { nameOf, resolve, type ApiDocument, type Schema } from "./api-document.ts";

export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
  /** The values among which it chooses. */
  values: readonly string[];
  defaultValue: string | undefined;
  fields: readonly Field[];
}

/** The fields of an object, of the records of a list, or of one of several bodies. */
export function fieldsOf(given: Schema, document: ApiDocument): Field[] {
  const schema = resolve(given, document);
  if (schema.items) return fieldsOf(schema.items, document);
  const choices = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const inherited = choices.flatMap((choice) => fieldsOf(choice, document));
  const own = Object.entries(schema.properties ?? {}).map(([name, inner]) =>
    toField(name, inner, {
      document,
      isRequired: schema.required?.includes(name) ?? false,
    }),
  );
  return [...new Map([...inherited, ...own].map((field) => [field.name, field])).values()];
}

export function toField(
  name: string,
  given: Schema,
  { document, isRequired }: { document: ApiDocument; isRequired: boolean },
): Field {
  const schema = resolve(given, document);
  const described = variantsOf(given, document).find(({ description }) => description);
  return {
    name,
    type: typeOf(given, document),
    isRequired,
    description: schema.description ?? described?.description ?? "",
    values: valuesOf(given, document),
    defaultValue: schema.default === undefined ? undefined : JSON.stringify(schema.default),
    fields: fieldsOf(given, document),
  };
}

function variantsOf(given: Schema, document: ApiDocument): Schema[] {
  const schema = resolve(given, document);
  const choices = schema.anyOf ?? schema.oneOf;
  return choices ? choices.flatMap((choice) => variantsOf(choice, document)) : [schema];
}

function valuesOf(given: Schema, document: ApiDocument): string[] {
  const values = variantsOf(given, document).flatMap((schema) => {
    const { items } = schema;
    return [
      ...(schema.enum ?? (schema.const === undefined ? [] : [schema.const])),
      ...(items ? (resolve(items, document).enum ?? []) : []),
    ];
  });
  return values
    .filter((value) => value !== null)
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
}

function typeOf(given: Schema, document: ApiDocument): string {
  const names = variantsOf(given, document).flatMap((schema) => namesOfType(schema, document));
  const [last, ...others] = [...new Set(names)].toReversed();
  return others.length === 0
    ? (last ?? "any")
    : `${others.toReversed().join(", ")} or ${String(last)}`;
}

function namesOfType(schema: Schema, document: ApiDocument): string[] {
  if (schema.items) return [`list of ${nameOf(schema.items) ?? typeOf(schema.items, document)}`];
  const names = [schema.type ?? []].flat();
  return names.map((name) => (name === "string" && schema.format ? schema.format : name));
}
