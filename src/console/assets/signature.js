// Which part of a webhook's signature differs. Everything is computed here, and nothing is sent.
"use strict";

const encoder = new TextEncoder();
const toleratedSeconds = 300;

async function sign(secret, text) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

function listSecrets(typed) {
  const found = [["", encoder.encode(typed)]];
  if (typed !== typed.trim())
    found.push(["The secret has spaces around it: take them away.", encoder.encode(typed.trim())]);
  if (typed.trim().startsWith("whsec_"))
    try {
      found.push(["", fromBase64(typed.trim().slice("whsec_".length))]);
    } catch {
      // Not base64: the secret as it is has been tried.
    }
  return found;
}

function listBodies(typed) {
  const found = [["", typed]];
  const end = typed.replace(/\r?\n$/, "");
  if (end !== typed) found.push(["The body has a line break at its end that was not sent.", end]);
  if (typed.includes("\r\n"))
    found.push([
      "The line breaks of the body were changed on the way.",
      typed.replaceAll("\r\n", "\n"),
    ]);
  try {
    const again = JSON.stringify(JSON.parse(typed));
    if (again !== typed)
      found.push([
        "The body was parsed and written again. Sign the bytes as they arrived, before they are parsed.",
        again,
      ]);
  } catch {
    // No JSON: there is no other way to write it.
  }
  return found;
}

async function isSigned({ id, timestamp, signatures }, secret, body) {
  const standard = toBase64(await sign(secret, `${id}.${timestamp}.${body}`));
  if (signatures.includes(standard)) return "webhook-signature";
  const plain = toHex(await sign(secret, body));
  return signatures.includes(plain) ? "x-service-api-signature" : undefined;
}

async function explain(values) {
  const { id, timestamp, signature, secret, body } = values;
  if (secret === "" || signature === "") return ["bad", "Type the secret and the signature."];
  const signatures = signature
    .split(/[\s,]/)
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "v1");
  for (const [bodyNote, text] of listBodies(body))
    for (const [secretNote, bytes] of listSecrets(secret)) {
      const header = await isSigned({ id, timestamp, signatures }, bytes, text);
      if (!header) continue;
      if (bodyNote !== "" || secretNote !== "")
        return ["warn", [bodyNote, secretNote].join(" ").trim()];
      const age = Math.abs(Date.now() / 1000 - Number(timestamp));
      const isOld = header === "webhook-signature" && !(age <= toleratedSeconds);
      return isOld
        ? [
            "warn",
            "It matches, but its time is more than five minutes away: libraries refuse it, also when the clock of your server is wrong.",
          ]
        : ["good", `It matches, by ${header}.`];
    }
  return [
    "bad",
    "It doesn’t match. Either the secret is not one of those that the client had when it was sent, or id, time or body are not those of the same delivery.",
  ];
}

async function compare(tool) {
  const read = (name) => tool.querySelector(`[data-value="${name}"]`).value;
  const values = {
    id: read("id").trim(),
    timestamp: read("timestamp").trim(),
    signature: read("signature").trim(),
    secret: read("secret"),
    body: read("body"),
  };
  const result = tool.querySelector("[role=status]");
  const [tone, sentence] = await explain(values);
  result.className = `notice ${tone}`;
  result.textContent = sentence;
}

const tool = document.querySelector("[data-signature]");
if (tool && globalThis.crypto?.subtle) {
  tool.hidden = false;
  tool.querySelector("button").addEventListener("click", () => void compare(tool));
}
