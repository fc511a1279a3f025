import { request } from "undici";

/**
 * Walks the hosted sign-in as a browser without a script does, and gives the code that it leads
 * back with.
 */
export async function walkSignIn(
  link: string,
  answers: Readonly<Record<string, string>>,
): Promise<string> {
  const { origin } = new URL(link);
  const cookies = new Map<string, string>();
  const visit = async (
    url: string,
    form?: Record<string, string>,
  ): Promise<{ url: string; html: string }> => {
    const response = await request(url, {
      method: form ? "POST" : "GET",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      body: form ? new URLSearchParams(form).toString() : null,
    });
    for (const cookie of [response.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const html = await response.body.text();
    const location = response.headers["location"];
    if (response.statusCode !== 303 || typeof location !== "string") return { url, html };
    const target = new URL(location, origin).toString();
    return /[?&]code=/.test(target) ? { url: target, html: "" } : await visit(target);
  };

  const page = await visit(link);
  const hidden = Object.fromEntries(
    [...page.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map((match) => [
      match[1] ?? "",
      match[2] ?? "",
    ]),
  );
  let current = await visit(`${page.url}/sign-in`, { ...hidden, ...answers });
  for (let attempt = 0; attempt < 30 && !current.url.includes("code="); attempt += 1)
    current = await visit(current.url);
  const code = new URL(current.url).searchParams.get("code");
  if (!code) throw new Error(`the sign-in ended at ${new URL(current.url).pathname}`);
  return code;
}
