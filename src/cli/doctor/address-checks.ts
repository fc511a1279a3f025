import { connect, type PeerCertificate } from "node:tls";
import { request } from "undici";
import { secondsBetween, systemClock } from "../../platform/clock.ts";
import { withTimeout } from "../../platform/with-timeout.ts";
import { findAddress } from "../../start/local-state.ts";
import { failed, ok, warning, type CheckGroup } from "./finding.ts";

const timeoutMs = 5_000;
const renewBeforeDays = 14;
const longestBody = 100_000;

/** Asks that address alone, once: only this service names itself so. */
export const publicUrl: CheckGroup = {
  name: "PUBLIC_URL",
  async *look({ config }) {
    const base = await findAddress(config);
    const advice = config.isLocal
      ? "Start the service with npm start."
      : "Start an api, and look at the proxy, the DNS entry and the firewall in front of it.";
    try {
      const reply = await request(`${base}/.well-known/oauth-authorization-server`, {
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = (await reply.body.text()).slice(0, longestBody);
      const issuer = readIssuer(text);
      if (reply.statusCode === 200 && issuer === base) yield ok(`${base} answers as this service`);
      else if (issuer !== undefined)
        yield failed(
          `${base} answers as ${issuer}`,
          "Set the same PUBLIC_URL for every process, and start them again.",
        );
      else
        yield failed(
          `${base} answers ${reply.statusCode}, and not as this service`,
          "Let the proxy pass on every path of that address to the api.",
        );
    } catch (error) {
      const { code, name } = error as { code?: string; name: string };
      yield warning(`${base} cannot be reached from here (${code ?? name})`, advice);
    }
  },
};

function readIssuer(text: string): string | undefined {
  try {
    const { issuer } = JSON.parse(text) as { issuer?: unknown };
    return typeof issuer === "string" && URL.canParse(issuer) ? new URL(issuer).origin : undefined;
  } catch {
    return undefined;
  }
}

export const tls: CheckGroup = {
  name: "TLS",
  async *look({ config }) {
    const { protocol, hostname, port } = new URL(config.publicUrl);
    if (protocol !== "https:") {
      yield ok("PUBLIC_URL is on this machine, without TLS");
      return;
    }
    try {
      const certificate = await readCertificate(hostname, Number(port || 443));
      const days = Math.floor(
        secondsBetween(systemClock.now(), new Date(certificate.valid_to)) / 86_400,
      );
      const found = `the certificate of ${hostname} is valid for ${days} more days`;
      yield days < renewBeforeDays ? warning(found, "Renew it now.") : ok(found);
    } catch (error) {
      const { code = "no answer" } = error as { code?: string };
      const isRefused = /CERT|SIGNATURE|ISSUER|SELF_SIGNED/.test(code);
      const certificate = `the certificate of ${hostname}`;
      yield isRefused
        ? failed(
            `${certificate} is refused (${code})`,
            "Give the proxy a certificate of this name that is not expired, with its whole chain.",
          )
        : warning(
            `${certificate} cannot be looked at from here (${code})`,
            "Run this where PUBLIC_URL can be reached.",
          );
    }
  },
};

async function readCertificate(host: string, port: number): Promise<PeerCertificate> {
  const socket = connect({ host, port, servername: host });
  try {
    return await withTimeout(
      timeoutMs,
      () =>
        new Promise<PeerCertificate>((resolve, reject) => {
          socket.once("secureConnect", () => resolve(socket.getPeerCertificate()));
          socket.once("error", reject);
        }),
    );
  } finally {
    socket.on("error", () => undefined);
    socket.destroy();
  }
}

export const trustProxy: CheckGroup = {
  name: "TRUST_PROXY",
  async *look({ config }) {
    const { trustProxy: proxies, isLocal } = config;
    if (proxies.length > 0) yield ok(`X-Forwarded-For is believed of ${proxies.join(", ")}`);
    else
      yield ok(
        isLocal
          ? "not set: callers are on this machine"
          : "none: callers reach the service without a proxy",
      );
  },
};
