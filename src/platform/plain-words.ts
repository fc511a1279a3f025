import { z } from "zod";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/**
 * Callers read what a schema finds wrong behind the name of a field: "limit: has to be a whole number". A text that
 * a schema gives itself stays.
 */
export function usePlainWords(): void {
  z.config({ localeError: describeIssue });
}

export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `has to be ${nameType(issue.expected)}`;
    case "invalid_value":
      return issue.input === undefined ? "is required" : `has to be ${listValues(issue.values)}`;
    case "invalid_format":
      return formats[issue.format] ?? "has another form than it has to have";
    case "unrecognized_keys":
      return `has the unknown ${issue.keys.length > 1 ? "fields" : "field"} ${issue.keys.map((key) => `"${key}"`).join(", ")}`;
    case "too_small":
      return describeSize(issue.origin, "at least", issue.minimum);
    case "too_big":
      return describeSize(issue.origin, "at most", issue.maximum);
    default:
      return "is not valid";
  }
}

const formats: Record<string, string> = {
  date: "has to be a date, YYYY-MM-DD",
  datetime: "has to be a time as in 2026-01-31T08:00:00Z",
  uuid: "has to be a UUID",
  url: "has to be a URL",
  email: "has to be an email address",
  base64: "has to be base64",
};

const types: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
};

function nameType(expected: string): string {
  return types[expected] ?? "of another type";
}

function listValues(values: readonly unknown[]): string {
  const names = values.map(String);
  return names.length === 1 ? (names[0] ?? "") : `one of ${names.join(", ")}`;
}

function describeSize(origin: string, bound: string, size: unknown): string {
  const amount = `${bound} ${String(size)}`;
  if (origin === "string") return `has to have ${amount} characters`;
  if (origin === "array" || origin === "set") return `has to have ${amount} entries`;
  return `has to be ${amount}`;
}
