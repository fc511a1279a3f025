/** Half of the time of all tests goes to a few files that start whole processes. They run apart, by their names. */
export function onlyEndToEnd(what: string): void {
  const { VITEST: ofTests, TEST_END_TO_END: isEndToEnd } = process.env;
  if (ofTests !== undefined && isEndToEnd === undefined)
    throw new Error(`${what} is started only by files that are named *.e2e.test.ts`);
}
