/** The page about where people find what the form of a provider asks for. */
export function recipePath(provider: string, mode: string): string {
  return `/connect/help/${provider}/${mode}`;
}
