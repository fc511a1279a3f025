import { addressOf, guideGroups } from "./catalog.ts";
import { nameOfService } from "./pages/layout.ts";

/** The documents with their addresses, in the form of llmstxt.org. */
export function listForPrograms(operatorName: string | undefined, baseUrl: string): string {
  const sections = guideGroups.map(({ title, guides }) => {
    const links = guides.map(
      (guide) => `- [${guide.title}](${baseUrl}${addressOf(guide)}.md): ${guide.holds}`,
    );
    return `## ${title}\n\n${links.join("\n")}\n`;
  });
  return `# ${nameOfService(operatorName)}

> One HTTP API for the employee and payroll data that companies keep in HR and payroll systems.

${sections.join("\n")}
## API

- [OpenAPI description](${baseUrl}/openapi.json): Every operation with its fields, statuses and headers.
`;
}
