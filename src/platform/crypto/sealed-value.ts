import type { z } from "zod";
import type { DataKey, SealContext } from "./data-key.ts";
import type { Keyring, Sealed } from "./keyring.ts";

/** Names a kind of sealed value, and the parts that name the owner of one of them. */
interface Binding<Part extends string> {
  /** Unique in the program. */
  name: string;
  /** In the order in which the parts enter the context. */
  owner: readonly Part[];
}

type Owner<Part extends string> = Readonly<Record<Part, string>>;

/** A data key seals to bytes, the keyring to bytes with the name of the master key that opens them. */
interface SealingKey<Form> {
  seal(plaintext: Buffer, context: SealContext): Form;
  open(sealed: Form, context: SealContext): Buffer;
}

/**
 * Reads and writes one kind of sealed value. The context of a value is the name of its kind and every part of
 * its owner. It is authenticated with the value and not stored: a value that was copied to another column,
 * row or owner does not open there. The context holds no time: an earlier value of the same kind and owner
 * still opens in the place of a later one, unless a part of the owner is a version.
 */
export interface SealedValue<Part extends string, Value> {
  seal<Form>(key: SealingKey<Form>, owner: Owner<Part>, value: Value): Form;
  /** Throws for another key or context, for a changed byte, and for a value of another shape. */
  open<Form>(key: SealingKey<Form>, owner: Owner<Part>, sealed: NoInfer<Form>): Value;
}

/** For values that have an encoding of their own, such as compressed bodies and indexes. */
export function sealedBytes<Part extends string>(
  binding: Binding<Part>,
): SealedValue<Part, Buffer> {
  return {
    seal: (key, owner, bytes) => key.seal(bytes, contextOf(binding, owner)),
    open: (key, owner, sealed) => key.open(sealed, contextOf(binding, owner)),
  };
}

/** For values that are kept as JSON. What is opened is checked against the schema. */
export function sealedJson<Part extends string, Value>({
  schema,
  ...binding
}: Binding<Part> & { schema: z.ZodType<Value> }): SealedValue<Part, Value> {
  const bytes = sealedBytes(binding);
  return {
    seal: (key, owner, value) => bytes.seal(key, owner, Buffer.from(JSON.stringify(value))),
    open: (key, owner, sealed) => {
      const parsed = schema.safeParse(JSON.parse(bytes.open(key, owner, sealed).toString()));
      // The issues of the schema are left out: they can quote the value.
      if (!parsed.success) throw new Error(`the sealed ${binding.name} is not of its schema`);
      return parsed.data;
    },
  };
}

/** Data keys, one for each owner, sealed under the master key with the same kind of context. */
export interface WrappedDataKey<Part extends string> {
  create(keyring: Keyring, owner: Owner<Part>): { dataKey: DataKey; wrapped: Sealed };
  open(keyring: Keyring, owner: Owner<Part>, wrapped: Sealed): DataKey;
  /** The same data key, sealed under the active master key. */
  rewrap(keyring: Keyring, owner: Owner<Part>, wrapped: Sealed): Sealed;
}

export function wrappedDataKey<Part extends string>(binding: Binding<Part>): WrappedDataKey<Part> {
  return {
    create: (keyring, owner) => keyring.createDataKey(contextOf(binding, owner)),
    open: (keyring, owner, wrapped) => keyring.openDataKey(wrapped, contextOf(binding, owner)),
    rewrap: (keyring, owner, wrapped) => {
      const context = contextOf(binding, owner);
      return keyring.seal(keyring.open(wrapped, context), context);
    },
  };
}

function contextOf<Part extends string>(
  { name, owner: parts }: Binding<Part>,
  owner: Owner<Part>,
): SealContext {
  return [name, ...parts.map((part) => owner[part])];
}
