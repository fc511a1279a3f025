/** What a package was refused while it was tried, and where in its code. */
export function describeBeltRefusal(what: string, place: string | undefined): string {
  const where = place === undefined ? "" : ` (${place})`;
  return `the package was refused ${what}${where}; the service refuses it too`;
}
