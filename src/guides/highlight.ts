import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import go from "highlight.js/lib/languages/go";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import { html, trustMarkup, type Html } from "../platform/html/index.ts";

const languages = { bash, go, json, python, typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(["js", "javascript", "mjs"], { languageName: "typescript" });

/** Code of an unknown language is shown as it is. */
export function highlight(code: string, language: string): Html {
  if (!hljs.getLanguage(language)) return html`${code}`;
  return trustMarkup(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
