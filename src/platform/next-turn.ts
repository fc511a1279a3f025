/** Lets everything else that waits in this process have its turn. Long work is done in parts with this between them. */
export async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
