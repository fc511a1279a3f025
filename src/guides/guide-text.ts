/** The service whose guides somebody reads. */
export interface ReadService {
  /** Its address, without a slash at the end. */
  baseUrl: string;
  isLocal: boolean;
}

/** Stands for the address of the service in the documents. */
const exampleAddress = "https://rollcall.example.com";
const marker = /^<!-- (local|hosted|end) -->$/;

/**
 * A document as its reader needs it. A part between the lines `<!-- local -->`, or `<!-- hosted -->`, and
 * `<!-- end -->` is for that mode alone. A code host shows both, because the lines are comments of HTML.
 */
export function adaptText(text: string, { baseUrl, isLocal }: ReadService): string {
  let mode: string | undefined;
  const lines = text.split("\n").filter((line) => {
    const marked = marker.exec(line)?.[1];
    if (marked) mode = marked === "end" ? undefined : marked;
    return !marked && (mode === undefined || (mode === "local") === isLocal);
  });
  return lines
    .join("\n")
    .replaceAll(exampleAddress, baseUrl)
    .replaceAll(/\n{3,}/g, "\n\n");
}

/** The document for programs: links lead to the documents of the service. */
export function linkToDocuments(
  text: string,
  resolve: (target: string) => string | undefined,
): string {
  return text.replaceAll(/\]\(([^()[\]\s]+)\)/g, (link, target: string) => {
    const [path = "", heading] = target.split("#");
    const address = path === "" || /^(?:[a-z]+:|\/)/.test(path) ? undefined : resolve(path);
    return address ? `](${address}.md${heading === undefined ? "" : `#${heading}`})` : link;
  });
}
