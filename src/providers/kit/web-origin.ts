/**
 * The origin of the address that a person typed, https by default. Null when it is not a web
 * address.
 */
export function toOrigin(typed: string): string | null {
  const address = typed.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (url.username !== "" || url.password !== "") return null;
  // The dot at the end of a host name is another spelling of the same one.
  url.hostname = url.hostname.replace(/\.$/, "");
  return url.origin;
}
