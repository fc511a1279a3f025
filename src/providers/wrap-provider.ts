import type { Resource } from "../model/index.ts";
import type {
  ProbeContext,
  ProviderContext,
  ProviderDefinition,
  ProviderMode,
  ResourceReader,
} from "./contract.ts";

/** What stands between a provider and its host. */
export interface Wrapping {
  /** Of each call but the reads. */
  context: <Context extends ProviderContext>(context: Context) => Context;
  probe: (context: ProbeContext) => ProbeContext;
  reader: (resource: Resource, reader: ResourceReader) => ResourceReader;
}

/** The same provider, who gets other contexts than the host gives. */
export function wrapProvider(
  definition: ProviderDefinition,
  wrapping: Wrapping,
): ProviderDefinition {
  const modes = Object.entries(definition.modes).map(([name, mode]) => [
    name,
    wrapMode(mode, wrapping),
  ]);
  return { ...definition, modes: Object.fromEntries(modes) as ProviderDefinition["modes"] };
}

function wrapMode(
  mode: ProviderMode,
  { context: wrap, probe: wrapProbe, reader: wrapReader }: Wrapping,
): ProviderMode {
  const { origin, resume, refresh, logOut } = mode;
  const probe = origin?.probe;
  return {
    ...mode,
    ...(probe && {
      origin: { ...origin, probe: (context, at) => probe.call(origin, wrapProbe(context), at) },
    }),
    login: (context, formValues) => mode.login(wrap(context), formValues),
    ...(resume && {
      resume: (context, state, answer) => resume.call(mode, wrap(context), state, answer),
    }),
    ...(refresh && { refresh: (context, session) => refresh.call(mode, wrap(context), session) }),
    ...(logOut && { logOut: (context, session) => logOut.call(mode, wrap(context), session) }),
    check: (context, session) => mode.check(wrap(context), session),
    identity: (context, session) => mode.identity(wrap(context), session),
    resources: Object.fromEntries(
      Object.entries(mode.resources).map(([resource, reader]) => [
        resource,
        wrapReader(resource as Resource, reader),
      ]),
    ),
  };
}

/**
 * Where a request goes when all are for another base. A request to another origin than the client's stays as it is, so
 * that the client refuses it.
 */
export function aimRequest(
  url: string | URL,
  origin: string,
  baseUrl: string | undefined,
): string | URL {
  const target = URL.parse(String(url));
  if (baseUrl === undefined || !target || target.origin !== URL.parse(origin)?.origin) return url;
  return new URL(`${target.pathname}${target.search}`, baseUrl);
}
