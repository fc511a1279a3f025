/** Its message is written for the operator: it names paths and versions, never a secret or a row. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}
