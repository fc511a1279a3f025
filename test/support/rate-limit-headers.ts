import { expect } from "vitest";

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
}

export interface WindowState {
  remaining: number;
  resetSeconds: number;
}

/** The header `RateLimit`: the rest of each window that counted the request. */
export function readRateLimit({ headers }: Pick<Answer, "headers">): Record<string, WindowState> {
  return Object.fromEntries(
    readList(headers["ratelimit"]).map(([name, { r, t }]) => [
      name,
      { remaining: Number(r), resetSeconds: Number(t) },
    ]),
  );
}

/**
 * The header `RateLimit-Policy`: the quota and the seconds of each window of the endpoint's class.
 */
export function readPolicy({ headers }: Pick<Answer, "headers">): Record<string, string> {
  return Object.fromEntries(
    readList(headers["ratelimit-policy"]).map(([name, { q, w }]) => [name, `${q} in ${w}`]),
  );
}

/** The seconds of `Retry-After`. Expects a whole number of at least 1. */
export function readRetryAfter({ status, headers }: Answer): number {
  expect(status).toBe(429);
  expect(headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  return Number(headers["retry-after"]);
}

function readList(field: string | string[] | undefined): [string, Record<string, string>][] {
  expect(field).toBeTypeOf("string");
  return String(field)
    .split(", ")
    .map((item) => {
      expect(item).toMatch(/^"[a-z0-9-]+"(;[a-z]=\d+)+$/);
      const [name = "", ...parameters] = item.split(";");
      return [
        name.slice(1, -1),
        Object.fromEntries(parameters.map((parameter) => parameter.split("=") as [string, string])),
      ];
    });
}
