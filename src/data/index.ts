// The data endpoints: turns a reading of sync into a 200, 202 or 304, or into a refusal of the specification.
// It knows no provider and no table. Also the export of all that is stored of a connection.
export { registerDataRoutes, registerFetchedRoute } from "./routes.ts";
