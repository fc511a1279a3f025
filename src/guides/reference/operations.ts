import type { ApiDocument, DescribedOperation } from "./api-document.ts";

export interface Operation {
  /** Its page is `/docs/reference/<slug>`. */
  slug: string;
  id: string;
  method: string;
  path: string;
  title: string;
  /** The group that it is listed in. */
  tag: string;
  described: DescribedOperation;
}

export interface OperationGroup {
  tag: string;
  description: string;
  operations: readonly Operation[];
}

const titles: Readonly<Record<string, string>> = {
  xhr: "Data: signed in by the end user (xhr)",
  official: "Data: the vendor’s API (official)",
  Sandbox: "API: Sandbox control",
};

/** What a group of operations is called beside the guides. */
export function titleOfTag(tag: string): string {
  return titles[tag] ?? `API: ${tag}`;
}

/** All operations of the description, group by group in the order of its tags. */
export function groupOperations(document: ApiDocument): OperationGroup[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => toOperation(path, method, described)),
  );
  const listed = (document.tags ?? []).map(({ name }) => name);
  const tags = [...new Set([...listed, ...operations.map(({ tag }) => tag)])];
  return tags
    .map((tag) => ({
      tag,
      description: document.tags?.find(({ name }) => name === tag)?.description ?? "",
      operations: operations.filter((operation) => operation.tag === tag),
    }))
    .filter(({ operations }) => operations.length > 0);
}

export function addressOfOperation({ slug }: Pick<Operation, "slug">): string {
  return `/docs/reference/${slug}`;
}

function toOperation(path: string, method: string, described: DescribedOperation): Operation {
  const { operationId: id, summary: title, tags } = described;
  return {
    slug: id
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-"),
    id,
    method: method.toUpperCase(),
    path,
    title,
    tag: tags[0],
    described,
  };
}
