import type { Redis } from "ioredis";
import { countLua } from "../platform/http/index.ts";

/**
 * For each request of a turn: reads the copy, and counts in its windows. A copy whose MAC is known comes without its
 * text. A miss leaves a nonce, which whoever fills the copy has to name: a disconnect removes it, and a later miss
 * replaces it.
 */
const admit = `${countLua}
local nonce, nonceMs = ARGV[#ARGV - 1], ARGV[#ARGV]
local function admit(address, copyKey, ms, max, site, siteMax, clientPrefix, sandbox, clientMs, field, known)
  local asked, left = count(address, ms)
  if asked > tonumber(max) then return {asked, left} end
  if site ~= "" then
    local askedBySite, leftOfSite = count(site, ms)
    if askedBySite > tonumber(siteMax) then return {tonumber(max) + 1, leftOfSite} end
  end
  local mac, copied, version, ended = unpack(redis.call("HMGET", copyKey, "mac", "client", field, "ended"))
  if ended then return {asked, left} end
  if not mac then
    redis.call("SET", copyKey .. ":nonce", nonce, "PX", nonceMs)
    return {asked, left, nonce}
  end
  local client = copied == "" and sandbox or copied
  local askedByClient, leftOfClient = count(clientPrefix .. client, clientMs)
  local token = mac ~= known and redis.call("HGET", copyKey, "token") or ""
  return {asked, left, "", token, mac, version or "", askedByClient, leftOfClient}
end
local replies = {}
for i = 1, #KEYS / 2 do
  replies[i] = admit(KEYS[2 * i - 1], KEYS[2 * i], unpack(ARGV, 9 * i - 8, 9 * i))
end
return replies
`;
/** Stores a copy, unless its nonce is gone or another one took its place. */
const fillCopy = `
if redis.call("GET", KEYS[2]) ~= ARGV[1] then return 0 end
redis.call("DEL", KEYS[1], KEYS[2])
redis.call("HSET", KEYS[1], unpack(ARGV, 3))
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return 1
`;
/** From now on there is no copy, and nobody who read the token before stores one. */
const endCopy = `
redis.call("DEL", KEYS[1], KEYS[2])
redis.call("HSET", KEYS[1], "ended", "1")
redis.call("PEXPIRE", KEYS[1], ARGV[1])
return 1
`;

export const admissionScripts = { admit, fillCopy, endCopy };

/** Commands of the names of the scripts. Each takes the number of its keys first. */
export type AdmissionCommands = Redis & {
  admit(keys: number, ...args: (string | number)[]): Promise<AdmitReply[]>;
  fillCopy(keys: 2, ...args: string[]): Promise<number>;
  endCopy(keys: 2, ...args: string[]): Promise<number>;
};
export type AdmitReply = [number, number, string?, string?, string?, string?, number?, number?];
