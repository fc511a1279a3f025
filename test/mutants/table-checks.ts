import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describeProvider } from "../../src/conformance/index.ts";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import { checkedProviders } from "../support/built-in-conformances.ts";
import { projectDir } from "../support/program-environment.ts";
import { applyLineMutant, type LineMutant } from "./table-lines.ts";

const parameter = "mutant";
/** Those that compare records: with what the fake expects of them, and with each other. */
const checkNames = new Set(["values", "filled-fields", "payslips", "sums", "changes", "ranges"]);
let current: LineMutant | undefined;

// The modules of one adapter are loaded anew for each mutant, and everything else once.
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const parent = URL.parse(context.parentURL ?? "");
    const mutant = parent?.searchParams.get(parameter);
    if (!parent || !mutant) return resolved;
    const isOfAdapter = resolved.url.startsWith(new URL(".", parent).href);
    return isOfAdapter ? { ...resolved, url: `${resolved.url}?${parameter}=${mutant}` } : resolved;
  },
  load: (url, context, next) => {
    const loaded = next(url, context);
    const at = URL.parse(url);
    if (!current || at?.searchParams.get(parameter) !== current.id) return loaded;
    const path = join(projectDir, current.path);
    if (pathToFileURL(path).pathname !== at.pathname) return loaded;
    return { ...loaded, source: applyLineMutant(readFileSync(path, "utf8"), current) };
  },
});

/** The name of the check beside the adapter's fake that notices the mutant, or undefined. */
export async function findCheck(
  name: string,
  mutant: LineMutant | undefined,
): Promise<string | undefined> {
  const checked = checkedProviders.find(({ definition }) => definition.name === name);
  if (!checked) throw new Error(`there is no fake of ${name}`);
  current = mutant;
  const definition = await loadMutant(name, mutant?.id ?? "none");
  if (typeof definition === "string") return definition;
  for (const check of describeProvider(definition, checked.conformances)) {
    if (check.leftOut !== undefined || !checkNames.has(check.name)) continue;
    const isKept = await check.run().then(
      () => true,
      () => false,
    );
    if (!isKept) return check.name;
  }
  return undefined;
}

/** What cannot even be loaded is noticed by everything. */
async function loadMutant(name: string, id: string): Promise<ProviderDefinition | string> {
  const url = pathToFileURL(join(projectDir, `src/providers/${name}/index.ts`));
  try {
    const module = (await import(`${url.href}?${parameter}=${id}`)) as Record<string, unknown>;
    return Object.values(module)[0] as ProviderDefinition;
  } catch (error) {
    if (id === "none") throw error;
    return "load";
  }
}
