import { addressOf, guideGroups } from "./catalog.ts";
import type { NavigationGroup } from "./pages/layout.ts";
import { addressOfOperation, titleOfTag, type OperationGroup } from "./reference/operations.ts";

/** The guides, then the operations if they are known, then what is for operators. */
export function navigationOf(groups: readonly OperationGroup[]): NavigationGroup[] {
  const [ofClients, ...others] = guideGroups.map(({ title, guides }) => ({
    title,
    links: guides.map((guide) => ({ address: addressOf(guide), title: guide.title })),
  }));
  const ofOperations = groups.map(({ tag, operations }) => ({
    title: titleOfTag(tag),
    links: operations.map((operation) => ({
      address: addressOfOperation(operation),
      title: operation.title,
      method: operation.method,
    })),
  }));
  return [...(ofClients ? [ofClients] : []), ...ofOperations, ...others];
}
