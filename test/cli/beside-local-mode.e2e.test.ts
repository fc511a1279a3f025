import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rollcall } from "../support/command-line.ts";
import { makeUsedStateDir } from "../support/program-environment.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

const saying = (text: string) => ({
  code: 0,
  stdout: expect.stringContaining(text) as string,
  stderr: "",
});

describe("a command beside a service that runs in local mode", () => {
  let folder: Awaited<ReturnType<typeof makeUsedStateDir>>;
  let service: ServiceProcess;
  let demo: { base_url: string };

  beforeAll(async () => {
    folder = await makeUsedStateDir();
    service = await (await startService({ STATE_DIR: folder.stateDir })).untilStarted();
    demo = JSON.parse(readFileSync(join(folder.stateDir, "demo.json"), "utf8")) as typeof demo;
  });
  afterAll(async () => {
    await service.stop();
    await folder.remove();
  });

  test("a link to the console leads to the port of the service, not to that of the command", async () => {
    const made = (await rollcall(["console", "--json"], { STATE_DIR: folder.stateDir })).json();
    const url = String(made["console_url"]);
    expect(url.split("?")[0]).toBe(`${demo.base_url}/console/sign-in`);
    expect((await fetch(url)).status).toBe(200);
  });

  test("the doctor looks at the port of the service, too", async () => {
    const { json } = await rollcall(["doctor", "--json"], { STATE_DIR: folder.stateDir });
    const findings = json<{ check: string; found: string }[]>();
    expect(findings.find(({ check }) => check === "PUBLIC_URL")?.found).toBe(
      `${demo.base_url} answers as this service`,
    );
  });

  test("the demo is shown as running as long as it runs, and with how to start it afterwards", async () => {
    const place = { STATE_DIR: folder.stateDir };
    expect(await rollcall(["demo"], place)).toMatchObject(
      saying(`Rollcall runs at ${demo.base_url}/`),
    );
    await service.stop();
    expect(await rollcall(["demo"], place)).toMatchObject(
      saying(`Rollcall does not run now. npm start starts it at ${demo.base_url}/`),
    );
  });
});
