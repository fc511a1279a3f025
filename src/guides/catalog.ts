export interface Guide {
  /** `/docs/<slug>` is its address. */
  slug: string;
  /** From the root of the project. */
  file: string;
  /** The short title of the navigation. */
  title: string;
}

export interface GuideGroup {
  title: string;
  guides: readonly Guide[];
}

/** What the pages show of the project's documents, in reading order. What is not listed is not served. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: "Guides",
    guides: [
      guide("quickstart", "Quickstart"),
      guide("sign-in-link", "Sign-in link"),
      guide("sign-in-popup", "Sign-in in a popup"),
      guide("waiting-and-freshness", "Waiting and freshness"),
      guide("errors-and-limits", "Errors and limits"),
      guide("webhooks", "Webhooks"),
      guide("sandbox", "Sandbox"),
      guide("going-live", "Going live"),
      guide("decisions", "Decisions"),
      { slug: "changelog", file: "CHANGELOG.md", title: "Changelog" },
    ],
  },
  {
    title: "For operators",
    guides: [
      guide("configuration", "Configuration"),
      guide("operating", "Operating"),
      guide("performance", "Performance"),
      guide("providers", "Adding a provider"),
      { slug: "security", file: "SECURITY.md", title: "Security" },
    ],
  },
];

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides);

export function addressOf({ slug }: Guide): string {
  return `/docs/${slug}`;
}

function guide(slug: string, title: string): Guide {
  return { slug, file: `docs/${slug}.md`, title };
}
