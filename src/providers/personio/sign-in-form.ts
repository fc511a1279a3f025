import { z } from "zod";
import type { FormValues, Settings } from "../contract.ts";
import { formField } from "../form-field.ts";
import { isTimeZone } from "../kit/zone.ts";

const usualTimeZone = "Europe/Berlin";

export const signInForm = z.object({
  client_id: formField({
    title: "Client ID",
    placeholder: "papi-…",
    help: "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.",
    autocomplete: "off",
  }),
  client_secret: formField({ title: "Client secret", isSecret: true, autocomplete: "off" }),
  time_zone: formField(
    {
      title: "Time zone of the company",
      isSetting: true,
      placeholder: usualTimeZone,
      help: "Personio gives working times without it. Leave this empty for Europe/Berlin.",
      autocomplete: "off",
    },
    z.string().refine((value) => isTimeZone(value.trim()), {
      error: "Please type a time zone, such as Europe/Berlin.",
    }),
  ).optional(),
});

export function toAccount({ client_id: clientId = "" }: FormValues): { login: string } {
  return { login: clientId.trim() };
}

export function toTimeZone(settings: Settings): string {
  const chosen = (settings["time_zone"] ?? "").trim();
  return chosen === "" ? usualTimeZone : chosen;
}
