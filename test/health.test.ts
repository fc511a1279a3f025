import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { findDatabaseProblem } from "../src/start/health.ts";
import { NoClientFree, NoLogin } from "../src/platform/db/unavailable.ts";
import { createLog } from "../src/platform/log.ts";
import type { Services } from "../src/start/services.ts";

const ofState = (code: string): Error =>
  Object.assign(new DatabaseError("said of 192.0.2.7", 0, "error"), { code, severity: "FATAL" });
const ofSystem = (code: string): Error =>
  Object.assign(new Error(`connect ${code} /var/lib/private`), { code, syscall: "connect" });

test.each([
  [ofSystem("ECONNREFUSED"), "The database is away."],
  [new NoLogin({ isAnswered: false }), "The database gives no answer in time."],
  [new Error("timed out"), "The database gives no answer in time."],
  [ofState("57P03"), "The database starts or stops."],
  [ofState("53300"), "The database is busy, or has no client left."],
  [new NoClientFree(), "The database is busy, or has no client left."],
  [ofState("57014"), "The database is too slow."],
  [ofSystem("ECONNRESET"), "The database ended the connection."],
  [ofState("25006"), "The database takes no writes."],
  [ofState("28P01"), "The database refuses this service; the log says why."],
])("/readyz says of %s what it is, without an address", async (error, sentence) => {
  const query = (): never => {
    throw error;
  };
  const pool = { query } as unknown as Services["pool"];
  expect(await findDatabaseProblem({ pool }, createLog({ level: "silent" }))).toBe(sentence);
});
