import type { Locale } from "../../model/index.ts";
import { matchLocale } from "../link.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";

export type { Texts } from "./en.ts";

export const textsOf: Readonly<Record<Locale, Texts>> = { en, de, fr, es, it, nl, pl, pt };

/** The same texts with the operator's own name of the service. */
export function callService<Value>(texts: Value, serviceName: string): Value {
  const rename = (value: unknown): unknown => {
    if (typeof value === "string") return value.replaceAll("Rollcall", () => serviceName);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rename(each)]));
  };
  return serviceName === "Rollcall" ? texts : (rename(texts) as Value);
}

/** The language that was asked for, else the first one of `Accept-Language` that there is, else English. */
export function chooseLocale(
  asked: string | null | undefined,
  acceptLanguage: string | undefined,
): Locale {
  return matchLocale(asked ?? undefined) ?? fromHeader(acceptLanguage) ?? "en";
}

function fromHeader(header: string | undefined): Locale | undefined {
  const ranges = (header ?? "").split(",").map((entry) => {
    const [tag = "", ...parameters] = entry.trim().split(";");
    const q = parameters
      .map((parameter) => /^\s*q=([0-9.]+)\s*$/.exec(parameter)?.[1])
      .find((value) => value !== undefined);
    return { tag, weight: q === undefined ? 1 : Number(q) };
  });
  const acceptable = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return acceptable.map(({ tag }) => matchLocale(tag)).find((locale) => locale !== undefined);
}
