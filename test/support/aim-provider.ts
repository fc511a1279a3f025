import type { ProviderContext, ProviderDefinition } from "../../src/providers/contract.ts";

type Http = ProviderContext["http"];
type Work = (context: ProviderContext, ...rest: unknown[]) => unknown;

/** The same provider. Its requests go to this address, whichever origin they are for. */
export function aimProvider(definition: ProviderDefinition, baseUrl: string): ProviderDefinition {
  const modes = Object.entries(definition.modes).map(([name, mode]) => {
    const resources = Object.entries(mode.resources).map(([resource, reader]) => [
      resource,
      aimEach(reader, ["fetch", "changes"], baseUrl),
    ]);
    const aimed = aimEach(
      mode,
      ["login", "resume", "refresh", "logOut", "check", "identity"],
      baseUrl,
    );
    return [name, { ...aimed, resources: Object.fromEntries(resources) }];
  });
  return { ...definition, modes: Object.fromEntries(modes) as ProviderDefinition["modes"] };
}

/** The same provider. Its own page, where people approve, is at this origin. */
export function aimPage(definition: ProviderDefinition, origin: string): ProviderDefinition {
  const modes = Object.entries(definition.modes).map(([name, mode]) => {
    const { oauth2 } = mode;
    if (!oauth2) return [name, mode];
    const authorizationUrl = (formValues: Readonly<Record<string, string>>): string => {
      const { pathname, search } = new URL(oauth2.authorizationUrl(formValues));
      return origin + pathname + search;
    };
    return [name, { ...mode, oauth2: { ...oauth2, authorizationUrl } }];
  });
  return { ...definition, modes: Object.fromEntries(modes) as ProviderDefinition["modes"] };
}

function aimEach<Part extends object>(part: Part, names: readonly string[], baseUrl: string): Part {
  const works = Object.entries(part)
    .filter(([name]) => names.includes(name))
    .map(([name, work]) => [
      name,
      (context: ProviderContext, ...rest: unknown[]) =>
        (work as Work).call(part, { ...context, http: aimHttp(context.http, baseUrl) }, ...rest),
    ]);
  return { ...part, ...(Object.fromEntries(works) as Partial<Part>) };
}

function aimHttp(http: Http, baseUrl: string): Http {
  return (_origin, options) => {
    const client = http(baseUrl, options);
    return {
      exportCookies: () => client.exportCookies(),
      request: async (request) => {
        const { pathname, search } = new URL(request.url);
        return await client.request({ ...request, url: new URL(pathname + search, baseUrl) });
      },
    };
  };
}
