/** What is called otherwise where it is awaited. */
const renamed: Record<string, string> = {
  called: "awaited",
  Iterator: "AsyncIterator",
  ConnectionOperations: "AsyncConnectionOperations",
  ManagementOperations: "AsyncManagementOperations",
  operations: "aio_operations",
  sender: "aio_sender",
  Sender: "AsyncSender",
  Store: "AsyncStore",
  Connection: "AsyncConnection",
  Rollcall: "AsyncRollcall",
  Client: "AsyncClient",
  __enter__: "__aenter__",
  __exit__: "__aexit__",
};
const awaited = [
  "self._send(",
  "self._http.close()",
  "self.close()",
  "self.create_sandbox_connection(",
];
/** Those that send nothing stay as they are. */
const notAwaited = new Set(["__init__", "connection"]);

/** Writes \`aio.py\` from \`client.py\`: the same methods, awaited. */
export function writeAwaited(client: string): string {
  const names = client.replaceAll(/\w+/g, (word) => renamed[word] ?? word);
  const calls = awaited.reduce((text, call) => text.replaceAll(call, `await ${call}`), names);
  const methods = calls.replaceAll(/^ {4}def (\w+)/gm, (definition, name: string) =>
    notAwaited.has(name) ? definition : definition.replace("def", "async def"),
  );
  return methods
    .replace("self._http.close()", "self._http.aclose()")
    .replace('."""\n', '. Written by `npm run client:python` from client.py."""\n')
    .replaceAll(" Safe for threads.", "");
}
