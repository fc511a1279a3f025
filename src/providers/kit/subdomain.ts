import { z } from "zod";
import type { FormValues, ProviderMode, TypedOrigin } from "../contract.ts";
import { formField } from "../form-field.ts";

/** A system whose address begins with a label of the customer's, such as `example` before `bamboohr.com`. */
interface Labelled {
  /** Of the field where it is typed. */
  title: string;
  domain: string;
  originOf: (label: string) => string;
}

/** The field of this name in a form, and what a mode makes of what is typed there. */
export function subdomainField(name: string, { title, domain, originOf }: Labelled) {
  const read = (typed: string): string | null => readSubdomain(typed, domain);
  const labelOf = (formValues: FormValues): string => read(formValues[name] ?? "") ?? "";
  return {
    labelOf,
    field: formField(
      {
        title,
        placeholder: "example",
        help: `The part before .${domain} in the address that your browser shows.`,
        autocomplete: "organization",
      },
      z.string().refine((value) => read(value) !== null, {
        error: `Please type the part before .${domain}, such as example.`,
      }),
    ),
    // It is the vendor's, whoever types it, so nothing is asked there before a key is sent.
    origin: {
      field: name,
      of: (typed) => {
        const label = read(typed);
        return label === null ? null : new URL(originOf(label)).origin;
      },
    } satisfies TypedOrigin,
    // A key alone tells accounts of one company apart, and the host counts by it.
    account: (formValues: FormValues): ReturnType<NonNullable<ProviderMode["account"]>> => ({
      tenant: labelOf(formValues),
      login: labelOf(formValues),
    }),
  };
}

/** The label, also of a pasted address of one of the system's pages. Null when it is none. */
function readSubdomain(typed: string, domain: string): string | null {
  const address = typed.trim().toLowerCase();
  const host = (address.replace(/^[a-z]+:\/\//, "").split(/[/?#:]/, 1)[0] ?? "").replace(/\.$/, "");
  const suffix = `.${domain}`;
  const label = host.endsWith(suffix) ? host.slice(0, -suffix.length) : host;
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label) ? label : null;
}
