/** Long work awaits this between its parts, so that the other work of this process can run. */
export async function letOthersRun(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
