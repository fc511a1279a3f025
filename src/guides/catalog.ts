import { readdirSync } from "node:fs";
import type { Audience } from "./search-index.ts";

export interface Guide {
  /** `/docs/<slug>` is its address, and `/docs/<slug>.md` that of its text. */
  slug: string;
  /** From the root of the project. */
  file: string;
  /** The short title of the navigation. */
  title: string;
  /** What it holds, in a sentence. */
  holds: string;
}

/** What answers why and when rather than how. */
const reasons = new Set(["changelog", "decisions"]);

export interface GuideGroup {
  title: string;
  audience: Audience;
  guides: readonly Guide[];
}

/** What the pages show of the project's documents, in reading order. What is not listed is not served. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: "Guides",
    audience: "guides",
    guides: [
      guide("quickstart", "Quickstart", "From a first request to an access token of your own."),
      guide(
        "sign-in-link",
        "Sign-in link",
        "The link, PKCE, what comes back, the exchange, the scopes, and signing in again.",
      ),
      guide(
        "sign-in-popup",
        "Sign-in in a popup",
        "A script that opens the sign-in beside your page, and tells the page how it ended.",
      ),
      guide(
        "waiting-and-freshness",
        "Waiting and freshness",
        "Why an answer is 202, how to wait for data, and how old data may be.",
      ),
      guide(
        "errors-and-limits",
        "Errors and limits",
        "What each status asks for, what to rely on in data, and the rate limits.",
      ),
      guide(
        "webhooks",
        "Webhooks",
        "Changed employees, signed and posted to your server, with receivers to copy.",
      ),
      guide(
        "events",
        "Events",
        "What happened to connections and reads, as a list and posted to your server.",
      ),
      guide(
        "client-libraries",
        "Client libraries",
        "Sign-in, data and webhooks by methods instead of requests.",
      ),
      guide("coverage", "Coverage", "Which provider has which data."),
      guide("sandbox", "Sandbox", "A simulated provider with a user name for each difficulty."),
      guide("going-live", "Going live", "What to settle before the first real end user."),
      guide(
        "changelog",
        "Changelog",
        "What changed, and what the version in a path promises.",
        "CHANGELOG.md",
      ),
    ],
  },
  {
    title: "Providers",
    audience: "providers",
    guides: [
      guide("providers/bamboohr", "BambooHR", "Key or approval, rights, and which data there are."),
      guide(
        "providers/employment-hero",
        "Employment Hero Payroll",
        "The key, the business, five countries, pay runs and payslips.",
      ),
      guide(
        "providers/factorial",
        "Factorial",
        "The key or the approval, which version of its API, and what it has none of.",
      ),
      guide(
        "providers/frappe-hr",
        "Frappe HR",
        "The key, rights, what Frappe hides without a sign, pay and leave.",
      ),
      guide("providers/gusto", "Gusto", "What to approve, scopes, and which data there are."),
      guide("providers/hibob", "HiBob", "The service user, its rights, and what it has none of."),
      guide("providers/odoo", "Odoo", "What to type, rights, and which data there are."),
      guide("providers/personio", "Personio", "API credentials, rights, and which data there are."),
      guide("providers/sage-hr", "Sage HR", "The key, people and leave, and what it has none of."),
      guide("providers/staffology", "Staffology", "The key, the employer, pay runs and payslips."),
      guide("providers/xero", "Xero Payroll", "What to approve, limits, and which data there are."),
    ],
  },
  {
    title: "For operators",
    audience: "operators",
    guides: [
      guide("configuration", "Configuration", "Every variable, and a hosted set-up step by step."),
      guide("console", "Console", "What is going on, whose turn it is, and what to do about it."),
      guide(
        "operating",
        "Operating",
        "Each day: outages, starts and stops, health, logs, upgrades.",
      ),
      guide(
        "commands",
        "Commands",
        "What operators do at a terminal, and how a set-up is checked.",
      ),
      guide(
        "backups",
        "Backups and keys",
        "Backups, restoring, the audit record, and master keys.",
      ),
      guide("runbooks", "Runbooks", "A page for each alert, and every metric."),
      guide("performance", "Performance", "What was measured, on which machine."),
      guide("providers", "Adding a provider", "How an adapter is written, checked and packaged."),
      guide("decisions", "Decisions", "Why the API answers as it does where its rules are open."),
      guide(
        "security",
        "Security",
        "What is protected against whom, and how to report a fault.",
        "SECURITY.md",
      ),
    ],
  },
];

/** The page of each alert. The list of them leads there, and the navigation does not. */
const runbooks: readonly Guide[] = readdirSync(new URL("../../docs/runbooks/", import.meta.url))
  .filter((name) => name.endsWith(".md"))
  .toSorted()
  .map((name) => name.slice(0, -".md".length))
  .map((name) => guide(`runbooks/${name}`, `Runbook: ${name.replaceAll("-", " ")}`, "An alert."));

const pictureFolder = new URL("../../docs/pictures/", import.meta.url);

/** What guides show, by its address, which is beside theirs as the file is beside the document. */
export const pictures: ReadonlyMap<string, URL> = new Map(
  readdirSync(pictureFolder).map((name) => [
    `/docs/pictures/${name}`,
    new URL(name, pictureFolder),
  ]),
);

export const guides: readonly Guide[] = [
  ...guideGroups.flatMap((group) => group.guides),
  ...runbooks,
];

export function audienceOf(guide: Guide): Audience {
  if (reasons.has(guide.slug)) return "reasons";
  return guideGroups.find(({ guides: listed }) => listed.includes(guide))?.audience ?? "operators";
}

export function addressOf({ slug }: Guide): string {
  return `/docs/${slug}`;
}

function guide(slug: string, title: string, holds: string, file = `docs/${slug}.md`): Guide {
  return { slug, file, title, holds };
}
