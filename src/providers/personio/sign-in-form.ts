import { z } from "zod";
import type { FormValues, Settings } from "../contract.ts";
import { formField } from "../form-field.ts";
import { timeZoneField, zoneOf } from "../kit/zone-field.ts";

const usualTimeZone = "Europe/Berlin";

export const signInForm = z.object({
  client_id: formField({
    title: "Client ID",
    placeholder: "papi-…",
    help: "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.",
    autocomplete: "off",
  }),
  client_secret: formField({ title: "Client secret", isSecret: true, autocomplete: "off" }),
  time_zone: timeZoneField({
    placeholder: usualTimeZone,
    help: "Working times in Personio have no time zone. Leave this empty for Europe/Berlin.",
  }),
});

export function toAccount({ client_id: clientId = "" }: FormValues): { login: string } {
  return { login: clientId.trim() };
}

export function toTimeZone(settings: Settings): string {
  return zoneOf(settings, usualTimeZone);
}
