import { z } from "zod";
import type { Settings } from "../contract.ts";
import { formField } from "../form-field.ts";
import { isTimeZone } from "./zone.ts";

/** A setting for systems that give local times without their zone. It may stay empty. */
export function timeZoneField(options: { placeholder: string; help: string }) {
  return formField(
    {
      title: "Time zone of the company",
      isSetting: true,
      resources: ["timesheets"],
      autocomplete: "off",
      ...options,
    },
    z.string().refine((value) => isTimeZone(value.trim()), {
      error: "Please type a time zone, such as Europe/Berlin.",
    }),
  ).optional();
}

/** The zone that was typed as `time_zone`, or the usual one. */
export function zoneOf(settings: Settings, usual: string): string {
  const chosen = (settings["time_zone"] ?? "").trim();
  return chosen === "" ? usual : chosen;
}
