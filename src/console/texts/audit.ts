export const audit = {
  title: "Audit",
  lead: "Every change of clients, secrets, tokens, connections and keys, the newest first, and who asked for it.",
  empty: "There is no entry.",
  entry: "entry",
  client: "client",
  token: "token",
  all: "Entries of all clients",
  verify: "Verify the record",
  export: "Export the record",
  proof: "Is it as it was written?",
  explain:
    "All entries are read, and what was changed, added or deleted is listed. An older copy of the whole record is found with a checkpoint alone that was kept elsewhere: keep the export, and give it to",
  verified: "The record is as it was written",
  found: "The record is not as it was written",
  large: "The record is too long to be verified while a page waits. Use",
  more: "more findings. All are listed by",
  facts: {
    linked: "Linked entries",
    unlinked: "Entries that are not linked yet",
    withoutMac: "Entries of an earlier version, without a proof",
  },
  back: "Back to the record",
} as const;
