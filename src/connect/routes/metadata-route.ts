import { apiVersion, locales, scopes } from "../../model/index.ts";
import { FixedDocument, type HttpApp } from "../../platform/http/index.ts";

/** RFC 8414: tells a standard OAuth library the endpoints and what they support. */
export function registerMetadataRoute(app: HttpApp, issuer: string): void {
  const metadata = new FixedDocument({
    type: "application/json; charset=utf-8",
    bytes: JSON.stringify(describe(issuer)),
  });

  app.route({
    method: "GET",
    url: "/.well-known/oauth-authorization-server",
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: (request, reply) => metadata.send(request, reply),
  });
}

function describe(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/connect`,
    token_endpoint: `${issuer}/${apiVersion}/management/token`,
    service_documentation: `${issuer}/docs`,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: locales,
  };
}
