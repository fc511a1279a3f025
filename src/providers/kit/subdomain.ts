/**
 * The label before a system's domain, such as `example` before `bamboohr.com`, also of a pasted address of one of its
 * pages. Null when it is none.
 */
export function readSubdomain(typed: string, domain: string): string | null {
  const address = typed.trim().toLowerCase();
  const host = (address.replace(/^[a-z]+:\/\//, "").split(/[/?#:]/, 1)[0] ?? "").replace(/\.$/, "");
  const suffix = `.${domain}`;
  const label = host.endsWith(suffix) ? host.slice(0, -suffix.length) : host;
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label) ? label : null;
}
