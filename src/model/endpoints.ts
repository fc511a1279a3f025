import { modes, type Mode } from "./mode.ts";

export const apiVersion = "2023-03-01";

/**
 * The data endpoints of the specification, by their paths below the mode. Scopes and what a scope reads are
 * derived from this table. Routes and the words of consent are records over its keys, so that an endpoint
 * without them does not compile.
 */
const catalogue = {
  company: { modes, resource: "company", includedIn: null },
  employee: { modes, resource: "employees", includedIn: "employees" },
  employees: { modes, resource: "employees", includedIn: null },
  groups: { modes, resource: "groups", includedIn: null },
  identity: { modes, resource: null, includedIn: null },
  payruns: { modes: ["xhr"], resource: "payruns", includedIn: null },
  "payruns/:payrun_id": {
    modes: ["xhr"],
    resource: "payslips",
    includedIn: null,
  },
  "time-off-balances": { modes, resource: "time-off-balances", includedIn: null },
  "time-off-entries": { modes, resource: "time-off-entries", includedIn: null },
  timesheets: { modes, resource: "timesheets", includedIn: null },
  "work-locations": { modes, resource: "work-locations", includedIn: null },
} as const satisfies Record<string, Endpoint<string | null, string>>;

interface Endpoint<ResourceName, Path> {
  modes: readonly Mode[];
  /** What is fetched from the provider. Null for identity, which is captured at sign-in. */
  resource: ResourceName;
  /** The endpoint that gives all that this one gives, so that consent to that one is consent to this one. */
  includedIn: Path | null;
}

type Catalogue = typeof catalogue;
export type EndpointPath = keyof Catalogue;
export type ModeOf<Path extends EndpointPath> = Catalogue[Path]["modes"][number];
type ResourceOf<Path extends EndpointPath> = Catalogue[Path]["resource"];

/** What is fetched from a provider. */
export type Resource = NonNullable<ResourceOf<EndpointPath>>;

/** The endpoints whose data is fetched from the provider. */
export type FetchedPath = {
  [Path in EndpointPath]: ResourceOf<Path> extends null ? never : Path;
}[EndpointPath];

export const endpoints: {
  readonly [Path in EndpointPath]: Endpoint<ResourceOf<Path>, EndpointPath>;
} = catalogue;

export const endpointPaths = Object.keys(endpoints) as EndpointPath[];

export function isFetched(path: EndpointPath): path is FetchedPath {
  return endpoints[path].resource !== null;
}
