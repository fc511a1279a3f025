/** On a context of the host: tells it a secret that the kit has got for the adapter. */
export const noteSecret: unique symbol = Symbol("rollcall.note-secret");

export interface NotesSecrets {
  [noteSecret]?: (secret: string) => void;
}
