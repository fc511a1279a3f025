import { InvalidRequest, type Mode } from "../model/index.ts";
import type { FormValues, Settings } from "../providers/index.ts";
import type { Needs } from "./services.ts";

/** The settings that a client has chosen for its end user. Throws InvalidRequest for what the form would refuse. */
export async function readSettings(
  { registry, connect }: Needs<"registry" | "connect">,
  { provider, mode }: { provider: string | undefined; mode: Mode },
  given: FormValues | undefined,
): Promise<Settings | null> {
  if (given === undefined || Object.keys(given).length === 0) return null;
  if (provider === undefined) throw new InvalidRequest("settings: need a provider");
  const fields = registry.findMode(provider, mode)?.fields ?? [];
  const names = new Set(fields.filter(({ isSetting }) => isSetting).map(({ name }) => name));
  const unknown = Object.keys(given).find((name) => !names.has(name));
  if (unknown !== undefined) {
    const known = names.size > 0 ? [...names].join(", ") : "none";
    throw new InvalidRequest(`settings: ${provider} has no such setting; it has ${known}`);
  }
  const checked = await connect.checkForm({ provider, mode, formValues: given });
  const problem =
    "problems" in checked && checked.problems.find(({ field }) => Object.hasOwn(given, field));
  if (problem) throw new InvalidRequest(`settings.${problem.field}: ${problem.message}`);
  return given;
}
