import { text } from "node:stream/consumers";
import type { FormField, FormValues, Settings } from "../providers/index.ts";
import { UsageFailure } from "./command-failure.ts";

export interface FormValueOptions {
  field?: string[];
  fieldsFile?: string;
}

/** Form values by field, and answers by the kind of their challenge, from arguments and standard input. */
export type GivenValues = ReadonlyMap<string, string>;

const answerNames = new Set(["otp", "text", "choose"]);

/**
 * Refuses secrets of real providers as arguments, because other users of the machine can see them.
 */
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

/**
 * Asks at the terminal for the required values that were not given. Earlier settings are kept without asking.
 * `onAsk` is called before each question.
 */
export async function completeFormValues(
  fields: readonly FormField[],
  given: GivenValues,
  {
    previousSettings = {},
    onAsk = () => undefined,
  }: { previousSettings?: Settings; onAsk?: (name: string) => void } = {},
): Promise<FormValues> {
  const names = fields.map(({ name }) => name);
  const unknown = [...given.keys()].filter(
    (name) => !answerNames.has(name) && !names.includes(name),
  );
  if (unknown.length > 0)
    throw new UsageFailure(
      `the provider's form has no field ${unknown.join(", ")}; it has ${names.join(", ")}`,
    );
  const formValues: Record<string, string> = {};
  for (const field of fields) {
    const known = given.get(field.name) ?? previousSettings[field.name];
    const isAsked = known === undefined && field.isRequired;
    if (isAsked) onAsk(field.name);
    const value = isAsked ? await ask(field) : known;
    if (value !== undefined) formValues[field.name] = value;
  }
  return formValues;
}

/** Does not echo a secret. */
export async function ask({
  name,
  title,
  isSecret,
  placeholder,
  choices,
}: Pick<FormField, "name" | "title" | "isSecret" | "placeholder" | "choices">): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageFailure(
      `${name} is missing and there is no terminal: give it with --field or --fields-file -`,
    );
  const { input, password, select } = await import("@inquirer/prompts");
  const output = { output: process.stderr };
  if (choices) {
    const options = choices.map((choice) => ({ value: choice.value, name: choice.title }));
    return await select({ message: title, choices: options }, output);
  }
  return isSecret
    ? await password({ message: title }, output)
    : await input({ message: title, ...(placeholder && { default: placeholder }) }, output);
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
