/** The address that somebody typed. People type addresses with and without a scheme. */
export function parseTypedAddress(typed: string): URL | undefined {
  const text = typed.trim();
  return URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`) ?? undefined;
}
