import { cookieCompare, CookieJar, MemoryCookieStore, type Cookie } from "tough-cookie";
import type { Clock } from "../clock.ts";

/** The latest moment that a date can name. */
const latestMs = 8.64e15;

/**
 * The cookies of one client of a provider. The clock decides what has expired. The jar itself would ask the machine's,
 * and count a `Max-Age` from the last use, so it never hears of one.
 */
export class ProviderCookies {
  readonly #clock: Clock;
  readonly #store = new MemoryCookieStore();
  readonly #jar: CookieJar;

  /** `saved` is an earlier export. Throws TypeError when it is none. */
  constructor(clock: Clock, saved: string | undefined) {
    this.#clock = clock;
    this.#jar = restoreJar(saved, this.#store);
    this.#store.getAllCookies((_error, cookies) => cookies?.forEach(fixExpiry));
  }

  /** The value of `cookie` in a request to the URL. Empty without any. */
  headerFor(url: URL): string {
    const now = this.#clock.now();
    const live: Cookie[] = [];
    for (const cookie of this.#jar.getCookiesSync(url.href, { expire: false })) {
      cookie.lastAccessed = now;
      if ((cookie.expiryTime() ?? Infinity) > now.getTime()) live.push(cookie);
      else this.#remove(cookie);
    }
    return live
      .toSorted(cookieCompare)
      .map((cookie) => cookie.cookieString())
      .join("; ");
  }

  /** Takes a line of `set-cookie`. Returns the value of its cookie; undefined when the line is refused. */
  keep(line: string, url: URL): string | undefined {
    const now = this.#clock.now();
    const cookie = this.#jar.setCookieSync(line, url.href, { ignoreError: true, now });
    if (cookie) fixExpiry(cookie);
    return cookie?.value;
  }

  /** All cookies as one string. It holds secrets. */
  export(): string {
    return JSON.stringify(this.#jar.serializeSync());
  }

  #remove({ domain, path, key }: Cookie): void {
    this.#store.removeCookie(domain ?? "", path ?? "", key, () => undefined);
  }
}

function restoreJar(saved: string | undefined, store: MemoryCookieStore): CookieJar {
  if (saved === undefined) return new CookieJar(store);
  try {
    return CookieJar.deserializeSync(saved, store);
  } catch {
    // The parser's own error quotes the cookies.
    throw new TypeError("The saved cookies do not come from an earlier export.");
  }
}

/** A length of time becomes the moment at which it is over. */
function fixExpiry(cookie: Cookie): void {
  if (cookie.maxAge === null) return;
  const expiryMs = cookie.expiryTime() ?? Infinity;
  cookie.maxAge = null;
  cookie.expires = expiryMs > latestMs ? "Infinity" : new Date(Math.max(0, expiryMs));
}
