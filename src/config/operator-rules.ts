import { z } from "zod";
import type { OperatorIssuer } from "../console/index.ts";
import { list } from "./values.ts";

/** Who comes into the console by the sign-in of the organisation. */
type OperatorRule = OperatorIssuer["operators"][number];

const form = "write jo@example.com, group:NAME or @example.com+group:NAME, separated by commas";
const groupMark = "group:";

/** An entry that is wrong is told by its place, because an address must not stand in a log. */
export const operatorRules = list.transform((entries, context): OperatorRule[] => {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (entries.length === 0) return refuse(`is empty; ${form}`);
  const rules: OperatorRule[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.startsWith("@") && isDomain(entry.slice(1)))
      return refuse(
        `has a domain alone as entry ${index + 1}, which lets in everybody who has an address there; ` +
          "add a group: @example.com+group:NAME",
      );
    const rule = parseRule(entry);
    if (!rule) return refuse(`has an entry ${index + 1} that cannot be read; ${form}`);
    rules.push(rule);
  }
  return rules;
});

function parseRule(entry: string): OperatorRule | undefined {
  if (entry.startsWith(groupMark)) return ofGroup(entry.slice(groupMark.length));
  const at = entry.indexOf("@");
  if (at === 0) return parseRuleOfDomain(entry.slice(1));
  const isAddress = isLocalPart(entry.slice(0, Math.max(0, at))) && isDomain(entry.slice(at + 1));
  return isAddress ? { address: entry.toLowerCase() } : undefined;
}

function parseRuleOfDomain(text: string): OperatorRule | undefined {
  const plus = text.indexOf(`+${groupMark}`);
  const domain = text.slice(0, Math.max(0, plus));
  const rule = ofGroup(text.slice(plus + 1 + groupMark.length));
  return rule && isDomain(domain) ? { ...rule, domain: domain.toLowerCase() } : undefined;
}

function ofGroup(group: string): { group: string } | undefined {
  return group !== "" && group.length < 256 ? { group } : undefined;
}

/** ASCII alone, because letters of other alphabets can become these when their case changes. */
function isLocalPart(text: string): boolean {
  return /^[!-?A-~]+$/.test(text);
}

function isDomain(text: string): boolean {
  return text.includes(".") && text.split(".").every((label) => /^[A-Za-z0-9-]+$/.test(label));
}
