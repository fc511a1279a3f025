/** The headers of every reply, also of one that no route made. Browsers keep to https where the service has it. */
export function securityHeaders({ isSecure }: { isSecure: boolean }): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    ...(isSecure && { "strict-transport-security": "max-age=31536000" }),
  };
}
