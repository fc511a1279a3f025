import { z } from "zod";
import {
  apiVersion,
  endpointPaths,
  endpoints,
  type EndpointPath,
  type ModeOf,
  type Resource,
} from "./endpoints.ts";
import { modes, type Mode } from "./mode.ts";

/** A scope is the path of the endpoint that it opens. */
export type Scope = {
  [Path in EndpointPath]: `/${typeof apiVersion}/${ModeOf<Path>}/${Path}`;
}[EndpointPath];

/** The scope values of the specification, in its order. */
export const scopes: readonly Scope[] = modes.flatMap((mode) =>
  endpointPaths
    .filter((path) => endpoints[path].modes.includes(mode))
    .map((path) => `/${apiVersion}/${mode}/${path}` as Scope),
);

export const scope = z.enum(scopes).meta({
  id: "Scope",
  description: "What a token may read: the path of the endpoint that the scope opens.",
});

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}

export function splitScope(value: Scope): { mode: Mode; path: EndpointPath } {
  const [, , mode, ...path] = value.split("/");
  return { mode: mode as Mode, path: path.join("/") as EndpointPath };
}

export function scopesOfMode(mode: Mode): Scope[] {
  return scopes.filter((value) => splitScope(value).mode === mode);
}

/** The one mode of all these scopes. Undefined when they are of several modes, or when there are none. */
export function modeOfScopes(values: readonly Scope[]): Mode | undefined {
  const [mode, ...others] = new Set(values.map((value) => splitScope(value).mode));
  return others.length === 0 ? mode : undefined;
}

/** What a connection with these scopes may fetch. */
export function resourcesOfScopes(values: readonly Scope[]): Resource[] {
  const found = values.map((value) => endpoints[splitScope(value).path].resource);
  return [...new Set(found.filter((resource) => resource !== null))];
}
