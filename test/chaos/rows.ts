import { clocks } from "./clocks.ts";
import { exchangeRaces, exchangesWithoutDatabase } from "./exchanges.ts";
import { fiftyThousand, fortyCompanies } from "./large-reads.ts";
import { hangingConnections, hangingReceiver, hangingSignIns } from "./hanging.ts";
import { hostileServers } from "./hostile-servers.ts";
import { disconnectDuringRead, halfLostQueue, workerKilled } from "./interruptions.ts";
import { largeCompany } from "./large-company.ts";
import {
  peopleLeaveDuringRead,
  quotaAndKills,
  refreshTokens,
  rightLostAndGivenBack,
} from "./long-reads.ts";
import { thousandReads, workersAway } from "./many-reads.ts";
import { postgresOutages, redisOutages } from "./outages.ts";
import { polledHour } from "./polled-hour.ts";
import { rollingRestarts } from "./restarts.ts";
import type { Row } from "./row.ts";
import { failover } from "./failover.ts";
import { fullDisk } from "./full-disk.ts";
import { slowStarts } from "./slow-starts.ts";
import { upgrades } from "./upgrade.ts";
import { sharedLimits } from "./shared-limits.ts";
import { generatedRequests, openedLinks, slowSockets } from "./strangers.ts";
import { soak } from "./soak.ts";
import { toldEvents } from "./told-events.ts";
import { webhookChanges } from "./webhook-changes.ts";

export const rows: readonly Row[] = [
  largeCompany,
  ...hostileServers,
  hangingConnections,
  hangingReceiver,
  hangingSignIns,
  fiftyThousand,
  fortyCompanies,
  disconnectDuringRead,
  halfLostQueue,
  workerKilled,
  quotaAndKills,
  refreshTokens,
  rightLostAndGivenBack,
  peopleLeaveDuringRead,
  ...upgrades,
  slowStarts,
  thousandReads,
  workersAway,
  exchangeRaces,
  exchangesWithoutDatabase,
  postgresOutages,
  redisOutages,
  failover,
  fullDisk,
  rollingRestarts,
  webhookChanges,
  toldEvents,
  sharedLimits,
  clocks,
  openedLinks,
  slowSockets,
  generatedRequests,
  soak,
  polledHour,
];

/** All rows without names. A name also means the rows that begin with it and a colon. */
export function findRows(names: readonly string[]): Row[] {
  const unknown = names.filter((name) => !rows.some((row) => isMeant(row, name)));
  if (unknown.length > 0)
    throw new Error(`there is no row ${unknown.join(", ")}; --list names them`);
  return rows.filter((row) => names.length === 0 || names.some((name) => isMeant(row, name)));
}

function isMeant(row: Row, name: string): boolean {
  return row.name === name || row.name.startsWith(`${name}:`);
}
