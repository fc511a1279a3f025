import { resolve } from "node:path";
import { createClientFromOperations } from "@stoplight/prism-http/dist/client.js";
import { getHttpOperationsFromSpec, type IHttpRequest } from "@stoplight/prism-http";
import { pino } from "pino";

interface VendorRequest {
  method: string;
  /** From the address of the description's server on, with its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON. */
  body?: unknown;
}

interface DescribedVendor {
  /** What the vendor's description does not allow in this request. */
  check(request: VendorRequest): Promise<string[]>;
  /** The example of the description, or one made of its schema. */
  answer(request: VendorRequest): Promise<{ status: number; body: unknown }>;
}

/** What Prism throws for a path that there is not, a credential of another kind, or anything else that is wrong. */
interface Refusal {
  message: string;
  additional?: { validation?: { location?: string[]; message: string }[] };
}

/** Reads the part of a vendor's description that is kept in `test/vendors/NAME.json`. */
export async function openDescription(name: string): Promise<DescribedVendor> {
  const file = resolve(import.meta.dirname, `../vendors/${name}.json`);
  const client = createClientFromOperations(await getHttpOperationsFromSpec(file), {
    logger: Object.assign(pino({ level: "silent" }), { success: () => undefined }),
    isProxy: false,
    upstreamProxy: undefined,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: false,
    errors: false,
    mock: { dynamic: false },
  });
  const ask = ({ method, path, headers, body }: VendorRequest) =>
    client.request(path, {
      method: method.toLowerCase() as IHttpRequest["method"],
      headers: { ...headers },
      ...(body !== undefined && { body }),
    });
  return {
    check: async (request) => {
      try {
        await ask(request);
        return [];
      } catch (error) {
        const { message, additional } = error as Refusal;
        const reasons = additional?.validation?.map(({ location = [], message: reason }) =>
          [location.join("."), reason].join(": "),
        );
        return (reasons ?? [message]).map(
          (reason) => `${request.method} ${request.path}: ${reason}`,
        );
      }
    },
    answer: async (request) => {
      const { status, data } = await ask(request);
      return { status, body: data };
    },
  };
}
