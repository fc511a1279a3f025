/** Binds the sealed provider's id of a pay run to the id that we issued for it. */
export function payrunContext(connectionId: string, id: string): string[] {
  return ["payrun", connectionId, id];
}
