// What happened to connections and providers, as ids and states: the rows that the statements of other rooms write by
// functions of the database, their order, and the list that clients read. The webhooks room sends them. Asked by
// webhooks; asks connections whose a connection is, and sync how parameters are written.
export { stateOf, subjectOf, type PlacedEvent, type StoredEvent } from "./event.ts";
export type { HistoryEntry } from "./event-store.ts";
export { isOfConnection, nameOfType, namedBody } from "./event-schemas.ts";
export { Events } from "./events.ts";
export { registerEventRoutes } from "./routes.ts";
