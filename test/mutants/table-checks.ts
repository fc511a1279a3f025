import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findDifferences } from "../../src/conformance/expected-records.ts";
import { fieldsCheck } from "../../src/conformance/fields-check.ts";
import { readUsual, recordsOf, type UsualReads } from "../../src/conformance/usual-reads.ts";
import { withTimeout } from "../../src/platform/with-timeout.ts";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import { providerPackages, type Checkable } from "../../src/providers/index.ts";
import { checkedProviders } from "../support/built-in-conformances.ts";
import { projectDir } from "../support/program-environment.ts";
import { applyLineMutant, type LineMutant } from "./table-lines.ts";

const parameter = "mutant";
const limitMs = 60_000;
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

/**
 * What is wrong beside the adapter's fake with the mutant, or undefined. One read of everything is compared with what
 * the fake expects, as the checks "money", "times", "values" and "filled-fields" of the built-in providers do it.
 */
export async function findWrong(
  name: string,
  mutant: LineMutant | undefined,
): Promise<string | undefined> {
  const checked = checkedProviders.find(({ definition }) => definition.name === name);
  if (!checked) throw new Error(`there is no fake of ${name}`);
  current = mutant;
  const definition = await loadMutant(name, mutant?.id ?? "none");
  if (typeof definition === "string") return definition;
  const conformances = [...checked.conformances, ...Object.values(checked.abroad ?? {})];
  for (const subject of providerPackages.listCheckable([definition], conformances)) {
    const wrong = await findWrongOf(subject).catch((error: unknown) => String(error));
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

async function findWrongOf(subject: Checkable): Promise<string | undefined> {
  return await withTimeout(limitMs, async (signal) => {
    const usual = await readUsual({ subject, signal });
    const [different] = listDifferences(usual);
    if (different !== undefined) return different;
    fieldsCheck.look(usual, { subject });
    return undefined;
  });
}

function listDifferences(usual: UsualReads): string[] {
  const { expected = {} } = usual.fake;
  const differences: string[] = [];
  for (const resource of usual.resources) {
    const records = recordsOf(usual, resource);
    for (const one of expected[resource] ?? [])
      differences.push(...findDifferences(resource, one, records).map(({ wrong }) => wrong));
  }
  return differences;
}

/** What cannot even be loaded is noticed by everything. */
async function loadMutant(name: string, id: string): Promise<ProviderDefinition | string> {
  const url = pathToFileURL(join(projectDir, `src/providers/${name}/index.ts`));
  try {
    const module = (await import(`${url.href}?${parameter}=${id}`)) as Record<
      string,
      ProviderDefinition
    >;
    const found = Object.values(module).find((definition) => definition.name === name);
    if (!found) throw new Error(`${url.pathname} has no provider ${name}`);
    return found;
  } catch (error) {
    if (id === "none") throw error;
    return "load";
  }
}
