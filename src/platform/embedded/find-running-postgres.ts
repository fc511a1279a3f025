import { findPostmaster } from "./postmaster.ts";
import { formatDatabaseUrl, readServerLogin } from "./server-login.ts";
import { listStateFolders, type StateFolder } from "./state-folder.ts";

/** The address of the server that a process of the state folder runs; undefined when none does. It changes nothing. */
export function findRunningPostgres(stateDir: string): string | undefined {
  for (const folder of listStateFolders(stateDir)) {
    const runningUrl = findRunningUrl(folder);
    if (runningUrl !== undefined) return runningUrl;
  }
  return undefined;
}

/** As `findRunningPostgres`, of one folder. */
export function findRunningUrl({
  dataDir,
  loginFile,
}: Pick<StateFolder, "dataDir" | "loginFile">): string | undefined {
  // The address is the running server's own: another program may listen on that of the login file.
  const postmaster = findPostmaster(dataDir);
  const login = readServerLogin(loginFile);
  if (!postmaster?.isReady || !login) return undefined;
  return formatDatabaseUrl(login.password, postmaster);
}
