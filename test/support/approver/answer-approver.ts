import { request } from "undici";

/**
 * Goes through the pages of the authorization server as a person does, from the address that a browser was sent to.
 * Returns the address that it sends the browser back to.
 */
export async function answerApprover(
  address: string,
  { login = "ann", approves = true } = {},
): Promise<string> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  const ask = async (method: "GET" | "POST", url: string, form?: Record<string, string>) => {
    const { headers, body } = await request(new URL(url, origin), {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      body: form ? new URLSearchParams(form).toString() : null,
    });
    for (const cookie of [headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const { location } = headers;
    return {
      location: typeof location === "string" ? location : undefined,
      html: await body.text(),
    };
  };
  let seen = await ask("GET", address);
  for (let step = 0; step < 20; step += 1) {
    const { location, html } = seen;
    if (location !== undefined && !new URL(location, origin).href.startsWith(origin))
      return location;
    if (location !== undefined) {
      seen = await ask("GET", location);
      continue;
    }
    const [, action = ""] = /action="([^"]*\/interaction\/[^"]+)"/.exec(html) ?? [];
    const [, prompt = ""] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
    if (action === "")
      throw new Error(`the authorization server shows no form: ${html.slice(0, 500)}`);
    seen =
      prompt === "consent" && !approves
        ? await ask("GET", `${action}/abort`)
        : await ask("POST", action, {
            prompt,
            ...(prompt === "login" && { login, password: "x" }),
          });
  }
  throw new Error("the authorization server does not lead back");
}
