// The data endpoints: turns what sync says about a resource into the specification's 200, 202, 304 and refusals.
// Knows no provider and no table.
export { registerDataRoutes } from "./routes.ts";
