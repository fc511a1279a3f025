import { matchLocale, type Locale } from "../link.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

export type { Texts } from "./en.ts";

export const textsOf: Readonly<Record<Locale, Texts>> = { en, de, fr, es };

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
