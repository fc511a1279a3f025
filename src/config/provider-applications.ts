import type { OAuth2Application, OAuth2Applications } from "../providers/index.ts";

const variable = /^PROVIDER_([A-Z][A-Z0-9_]{1,39})_CLIENT_(ID|SECRET)$/;

/** The operator's applications at providers: `PROVIDER_XERO_CLIENT_ID` and `PROVIDER_XERO_CLIENT_SECRET` for `xero`. */
export function readProviderApplications(set: Readonly<Record<string, string>>): {
  applications: OAuth2Applications;
  problems: string[];
} {
  const applications: Record<string, OAuth2Application> = {};
  const problems: string[] = [];
  const named = new Set(Object.keys(set).flatMap((name) => variable.exec(name)?.[1] ?? []));
  for (const provider of named) {
    const [idVariable, secretVariable] = ["ID", "SECRET"].map(
      (part) => `PROVIDER_${provider}_CLIENT_${part}`,
    ) as [string, string];
    const { [idVariable]: clientId, [secretVariable]: clientSecret } = set;
    if (clientId === undefined)
      problems.push(`${idVariable}: is required beside ${secretVariable}`);
    else if (clientSecret === undefined)
      problems.push(`${secretVariable}: is required beside ${idVariable}`);
    else applications[provider.toLowerCase().replaceAll("_", "-")] = { clientId, clientSecret };
  }
  return { applications, problems };
}
