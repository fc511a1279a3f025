/** A message of protobuf: the names and the forms of its fields, by their numbers. */
interface Message {
  readonly [number: number]: readonly [name: string, form: Form | Message, isRepeated?: true];
}
type Form = "text" | "id" | "varint" | "fixed32" | "fixed64" | "double";
type Decoded = Record<string, unknown>;

/** As opentelemetry-proto v1 describes them in `common.proto`, `resource.proto` and `trace.proto`. */
const anyValue: Message = {
  1: ["string", "text"],
  2: ["bool", "varint"],
  3: ["int", "varint"],
  4: ["double", "double"],
};
const keyValue: Message = { 1: ["key", "text"], 2: ["value", anyValue] };
const span: Message = {
  1: ["traceId", "id"],
  2: ["spanId", "id"],
  3: ["traceState", "text"],
  4: ["parentSpanId", "id"],
  5: ["name", "text"],
  6: ["kind", "varint"],
  7: ["startTimeUnixNano", "fixed64"],
  8: ["endTimeUnixNano", "fixed64"],
  9: ["attributes", keyValue, true],
  10: ["droppedAttributesCount", "varint"],
  12: ["droppedEventsCount", "varint"],
  14: ["droppedLinksCount", "varint"],
  15: ["status", { 2: ["message", "text"], 3: ["code", "varint"] }],
  16: ["flags", "fixed32"],
};
const resource: Message = {
  1: ["attributes", keyValue, true],
  2: ["droppedAttributesCount", "varint"],
};
const scope: Message = { 1: ["name", "text"], 2: ["version", "text"] };
const scopeSpans: Message = { 1: ["scope", scope], 2: ["spans", span, true] };
const resourceSpans: Message = {
  1: ["resource", resource],
  2: ["scopeSpans", scopeSpans, true],
};
const traceRequest: Message = { 1: ["resourceSpans", resourceSpans, true] };

const wireTypes = { varint: 0, fixed64: 1, double: 1, text: 2, id: 2, fixed32: 5 } as const;

export interface TracedSpan {
  traceId: string;
  spanId: string;
  /** Undefined for the first span of a trace. */
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  isError: boolean;
  resource: Record<string, unknown>;
}

/** The spans of one `ExportTraceServiceRequest`. Throws for a field that the protocol does not have, or that no span of ours has. */
export function decodeTraces(bytes: Uint8Array): TracedSpan[] {
  const decoded = decodeMessage(Buffer.from(bytes), traceRequest);
  return listOf(decoded["resourceSpans"]).flatMap((ofResource) => {
    const { attributes } = ofResource["resource"] as Decoded;
    return listOf(ofResource["scopeSpans"])
      .flatMap((ofScope) => listOf(ofScope["spans"]))
      .map((one) => toSpan(one, toRecord(attributes)));
  });
}

function toSpan(one: Decoded, ofResource: Record<string, unknown>): TracedSpan {
  return {
    traceId: String(one["traceId"]),
    spanId: String(one["spanId"]),
    parentSpanId: one["parentSpanId"] as string | undefined,
    name: String(one["name"]),
    kind: Number(one["kind"]),
    startMs: Number(one["startTimeUnixNano"]) / 1e6,
    endMs: Number(one["endTimeUnixNano"]) / 1e6,
    attributes: toRecord(one["attributes"]),
    isError: (one["status"] as Decoded | undefined)?.["code"] === 2n,
    resource: ofResource,
  };
}

function toRecord(attributes: unknown): Record<string, unknown> {
  return Object.fromEntries(
    listOf(attributes).map(({ key, value }) => {
      const { string, bool, int, double } = value as Decoded;
      return [
        key,
        string ??
          (bool === undefined ? undefined : bool === 1n) ??
          (int === undefined ? double : Number(int)),
      ];
    }),
  );
}

function listOf(value: unknown): Decoded[] {
  return (value ?? []) as Decoded[];
}

function decodeMessage(bytes: Buffer, message: Message): Decoded {
  const decoded: Decoded = {};
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error("a field is longer than its message");
    return bytes.subarray(at, (at += length));
  };
  const readValue = (form: Form | Message): unknown => {
    if (form === "varint") return readVarint();
    if (form === "fixed32") return take(4).readUInt32LE();
    if (form === "fixed64") return take(8).readBigUInt64LE();
    if (form === "double") return take(8).readDoubleLE();
    const part = take(Number(readVarint()));
    if (form === "text") return part.toString("utf8");
    return form === "id" ? part.toString("hex") : decodeMessage(part, form);
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const field = message[Number(tag >> 3n)];
    if (!field) throw new Error(`a message has the unknown field ${tag >> 3n}`);
    const [name, form, isRepeated] = field;
    const wireType = typeof form === "string" ? wireTypes[form] : 2;
    if (Number(tag & 7n) !== wireType) throw new Error(`${name} is written in another form`);
    const value = readValue(form);
    if (isRepeated) ((decoded[name] ??= []) as unknown[]).push(value);
    else decoded[name] = value;
  }
  return decoded;
}
