// A vendor with many employees that takes its time, as a fake Odoo. Any user name and password signs in; the
// database is `people`.
//
//   node test/support/vendors/slow-vendor.ts --employees 5029 --delay-ms 400 [--port 8069] [--hosts 1] [--nested yes]
//
// prints {"url":"http://127.0.0.1:8069"} and runs until it is stopped. GET /__requests counts what it was asked,
// POST /__control {"delayMs":0,"change":50} changes it.
import { OdooDesk } from "./odoo-desk.ts";
import { runProgram } from "./run-program.ts";
import { serveVendor, type ListenOptions, type VendorServer } from "./vendor-server.ts";

interface SlowVendorOptions extends ListenOptions {
  employees?: number | undefined;
  /** The wait before each page of records. */
  delayMs?: number | undefined;
  isNested?: boolean | undefined;
}

export async function startSlowVendor({
  employees = 20,
  delayMs = 0,
  isNested = false,
  ...listen
}: SlowVendorOptions = {}): Promise<VendorServer> {
  const desk = new OdooDesk({ employees, delayMs, isNested });
  return await serveVendor(desk, listen, (call, response) => desk.answer(call, response));
}

if (import.meta.main)
  await runProgram(["port", "hosts", "employees", "delay-ms", "nested"], async (given) => {
    const vendor = await startSlowVendor({
      port: given.number("port"),
      hosts: given.number("hosts"),
      employees: given.number("employees"),
      delayMs: given.number("delay-ms"),
      isNested: given.text("nested") === "yes",
    });
    return { url: vendor.url, urls: vendor.urls };
  });
