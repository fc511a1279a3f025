/**
 * True when the address is one of the registered ones, byte for byte. A registered http address on loopback
 * may be used with another port (RFC 8252, 7.3), because a native application cannot choose its port.
 */
export function isRegisteredRedirect(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true;
  const wanted = splitLoopback(given);
  return (
    wanted !== undefined && registered.some((candidate) => splitLoopback(candidate) === wanted)
  );
}

/** The address without its port, when it is http on loopback and spelled plainly. */
function splitLoopback(address: string): string | undefined {
  const match =
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?(\/[\x21-\x7e]*)?$/.exec(
      address,
    );
  if (!match || (match[2] !== undefined && Number(match[2]) > 65_535)) return undefined;
  return `${match[1] ?? ""}${match[3] ?? ""}`;
}
