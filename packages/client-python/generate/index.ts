import type { Description } from "./description.ts";
import { writeAwaited } from "./awaited.ts";
import { writeModels } from "./models.ts";
import { nameObjects } from "./named-objects.ts";
import { writeOperations } from "./operations.ts";

/** The files of the Python client that are written from `/openapi.json` and from `client.py`, by name. */
export function writeClient(published: Description, client: string): Record<string, string> {
  const description = nameObjects(published);
  return {
    "models.py": writeModels(description),
    "operations.py": writeOperations(description, { isAsync: false }),
    "aio_operations.py": writeOperations(description, { isAsync: true }),
    "aio.py": writeAwaited(client),
  };
}
