import type { ProviderRegistry } from "../providers/index.ts";
import type { Link } from "./link.ts";

/** The providers that an end user may choose from. A simulated one is offered only when the link asks for it. */
export function listOfferedProviders(
  registry: ProviderRegistry,
  { mode, tags, isSandbox }: Pick<Link, "mode" | "tags" | "isSandbox">,
): { name: string; title: string }[] {
  return registry
    .list()
    .filter(
      ({ modes, isSimulated, tags: own }) =>
        modes[mode] && isSimulated === isSandbox && tags.every((tag) => own.includes(tag)),
    )
    .map(({ name, title }) => ({ name, title }))
    .sort((a, b) => a.title.localeCompare(b.title, "en"));
}
