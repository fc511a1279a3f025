import { Client } from "pg";
import { expect, vi } from "vitest";

/** What the process asks for itself, now and then. */
const ofProcess = ["listen ", "select extract(epoch from service_now()) * 1000"];

/**
 * What the work sends to the database, by name or as text: `begin` and `commit` are two statements too. What the process
 * listens to, and its looks at the time, are no work of a request.
 */
export async function statementsOf(work: () => Promise<{ status: number }>): Promise<string[]> {
  const query = vi.spyOn(Client.prototype, "query").mockClear();
  const { status } = await work();
  expect(status).toBeLessThan(400);
  return query.mock.calls
    .map(([statement]: unknown[]) =>
      typeof statement === "string" ? statement : String((statement as { name?: unknown }).name),
    )
    .filter((statement) => !ofProcess.some((start) => statement.startsWith(start)));
}

/** The statements of the transaction in which the work sends one that has this text, with its begin and its commit. */
export async function transactionWith(
  text: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const query = vi.spyOn(Client.prototype, "query").mockClear();
  await work();
  const sent = query.mock.calls.map(([statement]: unknown[], at) => ({
    client: query.mock.contexts[at],
    text:
      typeof statement === "string" ? statement : String((statement as { text?: unknown }).text),
  }));
  const { client } = sent.find((each) => each.text.includes(text)) ?? {};
  const texts = sent.filter((each) => each.client === client).map((each) => each.text);
  const place = texts.findIndex((each) => each.includes(text));
  return texts.slice(texts.lastIndexOf("begin", place), texts.indexOf("commit", place) + 1);
}
