import { findPostmaster } from "./postmaster.ts";
import { formatDatabaseUrl, readServerLogin } from "./server-login.ts";
import { listStateFolders } from "./state-folder.ts";

/** The address of the server that a process of the state folder runs; undefined when none does. It changes nothing. */
export function findRunningPostgres(stateDir: string): string | undefined {
  for (const { dataDir, loginFile } of listStateFolders(stateDir)) {
    const postmaster = findPostmaster(dataDir);
    const login = readServerLogin(loginFile);
    if (postmaster?.isReady && login) return formatDatabaseUrl(login.password, postmaster);
  }
  return undefined;
}
