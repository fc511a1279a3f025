import { Resolver } from "node:dns/promises";

/**
 * A test asks no DNS of the machine it runs on: what that answers, how fast and how often, is nobody's promise. Every
 * name is absent there. A resolver with servers of its own asks those.
 */
const servers = new Resolver().getServers().join();

type Ask = (this: Resolver, name: string) => Promise<string[]>;

for (const method of ["resolve4", "resolve6"] as const) {
  const ask = Resolver.prototype[method] as Ask;
  const absent = Object.assign(new Error("not asked"), { code: "ENOTFOUND" });
  const askOthers: Ask = async function askOthers(name) {
    if (this.getServers().join() === servers) throw absent;
    return await ask.call(this, name);
  };
  // The files of a worker share its modules.
  if (ask.name !== askOthers.name) Object.assign(Resolver.prototype, { [method]: askOthers });
}
