import { text } from "node:stream/consumers";
import { input, password } from "@inquirer/prompts";
import type { FormField, FormValues } from "../providers/index.ts";
import { UsageFailure } from "./command-context.ts";

export interface FormValueOptions {
  field?: string[];
  fieldsFile?: string;
}

/** Values from arguments and standard input, the code of a second factor included. The rest is asked for. */
export type GivenValues = ReadonlyMap<string, string>;

/** Secrets of real providers are not taken from arguments, which other users of the machine can see. */
export async function readGivenValues(
  { field = [], fieldsFile }: FormValueOptions,
  fields: readonly FormField[],
  { allowsSecretArguments }: { allowsSecretArguments: boolean },
): Promise<GivenValues> {
  const fromArguments = parseLines(field);
  for (const { name, isSecret } of fields) {
    if (isSecret && !allowsSecretArguments && fromArguments.has(name))
      throw new UsageFailure(
        `${name} is a secret: type it when asked, or give it with --fields-file -`,
      );
  }
  if (fieldsFile === undefined) return fromArguments;
  if (fieldsFile !== "-")
    throw new UsageFailure("--fields-file reads standard input: give it as --fields-file -");
  const lines = (await text(process.stdin)).split(/\r?\n/).filter((line) => line.trim() !== "");
  return new Map([...fromArguments, ...parseLines(lines)]);
}

/** Asks at the terminal for the required values that were not given. Secrets are not echoed. */
export async function completeFormValues(
  fields: readonly FormField[],
  given: GivenValues,
): Promise<FormValues> {
  const known = new Set([...namesOf(fields), "otp"]);
  const unknown = [...given.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new UsageFailure(
      `the provider's form has no field ${unknown.join(", ")}; it has ${namesOf(fields).join(", ")}`,
    );
  const formValues: Record<string, string> = {};
  for (const field of fields) {
    const value = given.get(field.name) ?? (field.isRequired ? await ask(field) : undefined);
    if (value !== undefined) formValues[field.name] = value;
  }
  return formValues;
}

export async function ask({
  name,
  title,
  isSecret,
  placeholder,
}: Pick<FormField, "name" | "title" | "isSecret" | "placeholder">): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageFailure(
      `${name} is missing, and there is no terminal to ask at; give it with --field or --fields-file -`,
    );
  const output = { output: process.stderr };
  return isSecret
    ? await password({ message: title }, output)
    : await input({ message: title, ...(placeholder && { default: placeholder }) }, output);
}

function namesOf(fields: readonly FormField[]): string[] {
  return fields.map(({ name }) => name);
}

function parseLines(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.map((line) => {
      const at = line.indexOf("=");
      if (at < 1) throw new UsageFailure("a field is written as name=value");
      return [line.slice(0, at).trim(), line.slice(at + 1)];
    }),
  );
}
