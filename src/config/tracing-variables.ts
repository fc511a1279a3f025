import { z } from "zod";
import { keyValues, url } from "./values.ts";

/** Where traces go, and which, by the names of OpenTelemetry. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/)
    .optional()
    .describe(
      "Collector of OpenTelemetry that traces are sent to, such as `http://collector:4318` (OTLP over HTTP, protobuf). No traces when not set.",
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(/^https?$/)
    .optional()
    .describe(
      "The same as the whole address for traces, with its path. It goes before `OTEL_EXPORTER_OTLP_ENDPOINT`.",
    ),
  OTEL_EXPORTER_OTLP_HEADERS: keyValues
    .default({})
    .describe("Headers for the collector, as `name=value[,name=value…]` with percent-encoding."),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .optional()
    .describe("What the service is called in traces. Default: `rollcall`."),
  OTEL_RESOURCE_ATTRIBUTES: keyValues
    .default({})
    .describe("Further attributes of the process in traces, written as the headers are."),
  OTEL_TRACES_SAMPLER: z
    .enum([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ])
    .default("parentbased_always_on")
    .describe("Which traces are kept, by the names of OpenTelemetry."),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("The part that the samplers with `traceidratio` keep, from 0 to 1."),
  TRUST_TRACEPARENT: z
    .enum(["on", "off"])
    .default("off")
    .describe(
      "Whether the trace of a caller's `traceparent` header goes on here. `off`: every request begins a trace of its own.",
    ),
};
