import { buildApi } from "../../src/start/api.ts";
import type { Services } from "../../src/start/services.ts";

/** Every route of the API, such as `GET /docs/{name}`. */
export async function readRoutes(services: Services): Promise<string[]> {
  const app = await buildApi(services);
  await app.ready();
  const tree = app.printRoutes({ commonPrefix: false });
  await app.close();
  const parents: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const match = /^((?:[│ ] {3})*)[├└]── (.*?) \(([A-Z, ]+)\)$/u.exec(line);
    if (!match) return [];
    const [, indent = "", segment = "", methods = ""] = match;
    const path = (parents[indent.length / 4 - 1] ?? "") + segment;
    parents.splice(indent.length / 4, Infinity, path);
    return methods
      .split(", ")
      .map((method) => `${method} ${path.replaceAll(/:([A-Za-z_]+)/g, "{$1}")}`);
  });
}
