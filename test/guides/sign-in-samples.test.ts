import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConnectVisitor, workSignIns } from "../support/connect-visitor.ts";
import { startDocumentedService, type DocumentedService } from "../support/documented-service.ts";
import { readDocument } from "../support/documents.ts";
import { runSample, type SampleLanguage } from "../support/guide-code.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** What the application of a reader does with the functions of a sample, the end user's browser included. */
const uses: Record<"ts" | "python", string> = {
  ts: `
const session = {};
const browse = async (link) =>
  new URL(await (await fetch(process.env.BROWSER, { method: "POST", body: link })).text());
const forged = await finish(session, new URLSearchParams({ code: "x" })).catch((error) => error.message);
const { searchParams } = await browse(begin(session));
const others = await finish({ ...session, state: "other" }, searchParams).catch((error) => error.message);
const unproved = await finish({ ...session, verifier: "x".repeat(43) }, searchParams).catch((error) => error.message);
const made = await finish(session, searchParams);
console.log(JSON.stringify({ forged, others, unproved, token: made.accessToken, tokenId: made.tokenId, left: session }));
`,
  python: `
def browse(link):
    request = urllib.request.Request(os.environ["BROWSER"], data=link.encode())
    with urllib.request.urlopen(request) as response:
        return dict(urllib.parse.parse_qsl(urllib.parse.urlparse(response.read().decode()).query))

def refusal(session, query):
    try:
        finish(session, query)
    except Exception as error:
        return str(error)

session = {}
forged = refusal(session, {"code": "x"})
query = browse(begin(session))
others = refusal({**session, "state": "other"}, query)
unproved = refusal({**session, "verifier": "x" * 43}, query)
token, token_id = finish(session, query)
print(json.dumps({"forged": forged, "others": others, "unproved": unproved, "token": token, "tokenId": token_id, "left": session}))
`,
};

let service: DocumentedService;
let browser: Server;
beforeAll(async () => {
  service = await startDocumentedService();
  workSignIns(service);
  browser = createServer((request, response) => {
    let link = "";
    request.on("data", (chunk: Buffer) => (link += chunk.toString()));
    request.on("end", () => void signIn(link).then((address) => response.end(address)));
  }).listen(0, "127.0.0.1");
  await once(browser, "listening");
});
afterAll(async () => {
  browser.close();
  await service.close();
});

/** Signs in to the sandbox, and returns where the browser is redirected to. */
async function signIn(link: string): Promise<string> {
  const visitor = new ConnectVisitor(service.baseUrl);
  const page = await visitor.open(`${link.slice(service.baseUrl.length)}&sandbox=true`);
  return (await visitor.submit(page, { username: "user_good", password: "x" })).left ?? "";
}

describe.each<[SampleLanguage, "ts" | "python"]>([
  ["TypeScript", "ts"],
  ["Python", "python"],
])("the sign-in of the guide in %s", (language, fence) => {
  test.runIf(language !== "Python" || hasPython)(
    "ends with a token that works, and takes no redirect of another state or verifier",
    async () => {
      const [, section = ""] = readDocument("docs/sign-in-link.md").split(
        "## Link, callback and exchange",
      );
      const [, code = ""] = new RegExp(`\`\`\`${fence}\n([\\s\\S]*?)\`\`\``).exec(section) ?? [];
      const env = {
        ...service.credentialsOf(await service.createOwner()),
        BASE: service.baseUrl,
        BROWSER: `http://127.0.0.1:${(browser.address() as AddressInfo).port}`,
      };
      const ended = await runSample(language, code + uses[fence], { folder: service.folder, env });
      expect(ended).toMatchObject({ code: 0, errors: "" });
      const { forged, others, unproved, token, tokenId, left } = JSON.parse(ended.output) as Record<
        string,
        string
      >;
      expect([forged, others]).toEqual(Array(2).fill("Not the sign-in of this browser."));
      expect(unproved).toContain("400");
      expect(left).not.toHaveProperty("state");
      const reply = await service.http.get("/2023-03-01/xhr/identity", { bearer: token! });
      expect(reply.status).toBe(200);
      const introspected = await service.http.get("/2023-03-01/management/introspect", {
        bearer: token!,
      });
      expect(introspected.body).toMatchObject({ token: tokenId });
    },
  );
});
