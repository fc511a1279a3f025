// Rollcall's hosted sign-in in a popup: RollcallConnect.open() on the page that asks for it, and
// RollcallConnect.finish() on the redirect page of the same origin. The guide is /docs/sign-in-popup.
(() => {
  "use strict";

  const prefix = "rollcall-connect:";
  const markLifetimeMs = 86_400_000;
  const answerMs = 3_000;
  const returnMs = 500;

  /** In a popup; in this window when the browser blocks popups or has no storage. */
  function open({ url, params = {}, state: given, width = 520, height = 760, ...callbacks }) {
    const isMade = typeof url === "function";
    const state = given ?? (isMade ? undefined : readState(url, params)) ?? makeState();
    const link = isMade ? "about:blank" : completeLink(url, params, state);
    const popup = writeMark(state, { isPopup: true }) ? openWindow(link, width, height) : null;
    if (!popup) writeMark(state, { isPopup: false });
    const attempt = popup ? waitForResult(popup, state, callbacks) : { end() {} };

    const goTo = (address) => {
      if (!popup) location.assign(address);
      else if (popup.closed) attempt.leave();
      else popup.location.replace(address);
    };
    const fail = (error) => {
      cancel();
      const description = error instanceof Error ? error.message : String(error);
      callbacks.onError?.({ error: "link_failed", error_description: description, state });
    };
    const cancel = () => {
      attempt.end();
      popup?.close();
      removeMark(state);
    };
    if (isMade) makeLink(url, params, state).then(goTo, fail);
    else if (!popup) goTo(link);
    return { state, isPopup: popup !== null, cancel };
  }

  /** Hands what came back to the page that waits for it, else to the callbacks. */
  async function finish(callbacks = {}) {
    const result = readResult();
    const mark = readMark(result.state);
    if (!mark) return "unknown";
    if (mark.isPopup && (await deliver(result))) {
      window.close();
      return "popup";
    }
    removeMark(result.state);
    report(result, callbacks);
    return "page";
  }

  function waitForResult(popup, state, callbacks) {
    const listening = new AbortController();
    const { signal } = listening;
    const channel = new BroadcastChannel(prefix + state);
    let timer;
    const end = () => {
      listening.abort();
      clearTimeout(timer);
      channel.close();
    };
    const receive = ({ data }) => {
      // A redirect page that has waited in vain has removed the mark, and goes on by itself.
      if (data?.kind !== "result" || data.result?.state !== state || !readMark(state)) return;
      removeMark(state);
      channel.postMessage({ kind: "received" });
      end();
      report(data.result, callbacks);
    };
    const leave = () => {
      removeMark(state);
      end();
      callbacks.onExit?.({ reason: "closed", state });
    };
    let isTold = false;
    const notice = () => {
      if (isTold || !popup.closed || !document.hasFocus()) return;
      isTold = true;
      callbacks.onExit?.({ reason: "closed", state });
    };
    // The sign-in pages cut the tie to this page, so `closed` is true for an open window of theirs, too.
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(notice, returnMs);
    };
    channel.addEventListener("message", receive, { signal });
    addEventListener("focus", look, { signal });
    document.addEventListener("visibilitychange", look, { signal });
    return { end, leave };
  }

  /** True when the page that opened this window has taken the result. */
  async function deliver(result) {
    const channel = new BroadcastChannel(prefix + result.state);
    const isReceived = await new Promise((resolve) => {
      channel.addEventListener("message", ({ data }) => data?.kind === "received" && resolve(true));
      setTimeout(() => resolve(!readMark(result.state)), answerMs);
      channel.postMessage({ kind: "result", result });
    });
    channel.close();
    return isReceived;
  }

  function report(result, { onSuccess, onExit, onError }) {
    if (result.error === undefined) onSuccess?.(result);
    else if (result.error === "access_denied") onExit?.({ reason: "cancelled", ...result });
    else onError?.(result);
  }

  function readResult() {
    const query = new URLSearchParams(location.search);
    const names = ["code", "state", "iss", "error", "error_description"];
    return Object.fromEntries(
      names.filter((name) => query.has(name)).map((name) => [name, query.get(name)]),
    );
  }

  async function makeLink(make, params, state) {
    return completeLink(await make(state), params, state);
  }

  function completeLink(link, params, state) {
    const address = addParameters(link, params);
    const query = address.searchParams;
    if (query.has("state") && query.get("state") !== state)
      throw new TypeError("RollcallConnect: the link has another state");
    // The state of a one-time link is where it was made.
    if (!query.has("state") && !query.has("session")) query.set("state", state);
    return address.href;
  }

  function readState(link, params) {
    const query = addParameters(link, params).searchParams;
    if (query.has("session") && !query.has("state"))
      throw new TypeError(
        "RollcallConnect: a one-time link needs the option state, which it was made with",
      );
    return query.get("state");
  }

  function addParameters(link, params) {
    const address = new URL(link, location.href);
    if (!["https:", "http:"].includes(address.protocol))
      throw new TypeError("RollcallConnect: the link has to begin with https:// or http://");
    for (const [name, value] of Object.entries(params)) address.searchParams.set(name, value);
    return address;
  }

  function makeState() {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    return btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_");
  }

  function openWindow(address, width, height) {
    const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2));
    const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2));
    const features = `popup,width=${width},height=${height},left=${left},top=${top}`;
    const popup = window.open(address, "_blank", features);
    return popup && !popup.closed ? popup : null;
  }

  /** A mark tells the redirect page that this browser began the sign-in. It holds no code. */
  function writeMark(state, { isPopup }) {
    try {
      removeOldMarks();
      const mark = { isPopup, until: Date.now() + markLifetimeMs };
      localStorage.setItem(prefix + state, JSON.stringify(mark));
      return typeof BroadcastChannel === "function";
    } catch {
      return false;
    }
  }

  function readMark(state) {
    try {
      const mark = JSON.parse(localStorage.getItem(prefix + state));
      return mark?.until > Date.now() ? mark : undefined;
    } catch {
      return undefined;
    }
  }

  function removeMark(state) {
    try {
      localStorage.removeItem(prefix + state);
    } catch {
      // Without storage there is no mark.
    }
  }

  function removeOldMarks() {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
    for (const state of names.map((name) => name.slice(prefix.length)))
      if (!readMark(state)) removeMark(state);
  }

  globalThis.RollcallConnect = Object.freeze({ open, finish });
})();
