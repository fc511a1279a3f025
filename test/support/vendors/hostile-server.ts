// Servers that an end user could name in the sign-in form and that mean no good, as a fake Odoo.
//
//   node test/support/vendors/hostile-server.ts --case gzip-bomb --phase read [--port 8069] [--hosts 50] [--pages 1]
//   node test/support/vendors/hostile-server.ts --case all --phase sign-in
//
// prints the address, or the address of each case, as JSON, and runs until it is stopped. --phase sign-in is hostile
// from the first request on. --phase read signs in as it should and is hostile after so many pages of employees.
import type { ServerResponse } from "node:http";
import { hostileAnswers, hostileCases, type HostileCase } from "./hostile-answers.ts";
import { OdooDesk, sendResult, type Call } from "./odoo-desk.ts";
import { runProgram } from "./run-program.ts";
import { serveVendor, type ListenOptions, type VendorServer } from "./vendor-server.ts";

type HostilePhase = "sign-in" | "read";

interface HostileServerOptions extends ListenOptions {
  case: HostileCase;
  phase: HostilePhase;
  /** In the phase read: honest pages of employees before the first hostile one. */
  pages?: number | undefined;
}

const pageSize = 200;

export async function startHostileServer({
  case: name,
  phase,
  pages = 1,
  ...listen
}: HostileServerOptions): Promise<VendorServer> {
  const desk = new OdooDesk({ employees: (pages + 1) * pageSize, delayMs: 0 });
  return await serveVendor(desk, listen, async (call, response) => {
    const isHostile =
      phase === "read"
        ? call.isEmployeePage && call.search.after >= pages * pageSize
        : isHostileAtSignIn(name, call);
    if (isHostile) await hostileAnswers[name](response, call);
    else if (phase === "sign-in" && call.path === "/web/session/authenticate")
      askSecondFactor(name, desk, call, response);
    else await desk.answer(call, response);
  });
}

/** Pages are read only by who asks for a second factor or for records, so these cases wait for that. */
function isHostileAtSignIn(name: HostileCase, call: Call): boolean {
  if (name === "endless-records")
    return call.model === "res.users" && call.method === "search_read";
  if (name.endsWith("-html")) return call.path === "/web/login/totp";
  return true;
}

function askSecondFactor(
  name: HostileCase,
  desk: OdooDesk,
  call: Call,
  response: ServerResponse,
): void {
  desk.startSession(String(call.params["login"]), response);
  sendResult(response, { uid: name.endsWith("-html") ? null : 2 });
}

if (import.meta.main)
  await runProgram(["port", "hosts", "case", "phase", "pages"], async (given) => {
    const wanted = given.text("case") ?? "all";
    const phase = given.text("phase") ?? "read";
    const cases = wanted === "all" ? hostileCases : hostileCases.filter((name) => name === wanted);
    if (cases.length === 0 || (phase !== "read" && phase !== "sign-in"))
      throw new Error(
        `--phase is read or sign-in, --case is all or of: ${hostileCases.join(", ")}`,
      );
    const listen = { hosts: given.number("hosts"), pages: given.number("pages") };
    const servers = await Promise.all(
      cases.map((name) =>
        startHostileServer({
          ...listen,
          port: wanted === "all" ? undefined : given.number("port"),
          case: name,
          phase,
        }),
      ),
    );
    const [first] = servers;
    return wanted === "all"
      ? { cases: Object.fromEntries(cases.map((name, index) => [name, servers[index]?.url])) }
      : { url: first?.url, urls: first?.urls };
  });
