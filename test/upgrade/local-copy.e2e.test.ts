import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeStateDir } from "../support/program-environment.ts";
import { startService } from "../support/service-process.ts";

test("local mode: a copy of the folder of a stopped service is a backup that starts in its place", async () => {
  const { stateDir, remove } = await makeStateDir();
  // The account of Postgres has to pass through, or the data would be kept outside of the folder.
  await chmod(stateDir, 0o711);
  const [folder, copy] = [join(stateDir, "state"), join(stateDir, "copy")];
  await mkdir(folder);
  const first = await startService({ STATE_DIR: folder });
  const demo = JSON.parse(await readFile(join(folder, "demo.json"), "utf8")) as {
    client_id: string;
    client_secret: string;
  };
  const basic: [string, string] = [demo.client_id, demo.client_secret];
  const made = await first.http.post("/2023-03-01/management/sandbox/connections", {
    basic,
    json: {},
  });
  const { access_token: bearer } = made.body as { access_token: string };
  await first.stop();
  execFileSync("cp", ["-a", folder, copy]);

  const meanwhile = await startService({ STATE_DIR: folder });
  const introspect = "/2023-03-01/management/introspect";
  await meanwhile.http.post("/2023-03-01/management/disconnect", { bearer });
  await meanwhile.stop();
  await rename(folder, `${folder}-lost`);
  await rename(copy, folder);

  const restored = await startService({ STATE_DIR: folder });
  expect((await restored.http.get(introspect, { bearer })).status).toBe(200);
  expect((await restored.http.get("/2023-03-01/xhr/identity", { bearer })).status).toBe(200);
  const client = await restored.http.get("/2023-03-01/management/client", { basic });
  expect(client.status).toBe(200);
  await restored.stop();
  await remove();
});
