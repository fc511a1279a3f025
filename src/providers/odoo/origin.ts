import { z } from "zod";
import type { FoundSystem, TypedOrigin } from "../contract.ts";
import { FieldError } from "../errors.ts";
import { toOrigin } from "../kit/web-origin.ts";
import { callStranger } from "./replies.ts";
import { explanations } from "./explanations.ts";

const oldest = 14;
/** From this version on Odoo can be read with an API key. */
const oldestWithKeys = 19;

export const originForPasswords = originOf(oldest, explanations.tooOld);
export const originForKeys = originOf(oldestWithKeys, explanations.tooOldForKeys);

/** The answer of every version, without a session and whatever the databases. */
const versionInfo = z.object({
  server_version: z.string(),
  server_version_info: z.tuple([z.union([z.int(), z.string()])], z.unknown()),
  protocol_version: z.number(),
});

function originOf(least: number, tooOld: string): TypedOrigin {
  return {
    field: "url",
    of: toOrigin,
    probe: async ({ http }, origin) => {
      const path = "/web/webclient/version_info";
      const reply = await callStranger(http(origin), origin, { path });
      const { data } = versionInfo.safeParse(reply && "result" in reply ? reply.result : undefined);
      if (!data) throw new FieldError("url", explanations.notOdoo);
      // On odoo.com a version between two others is called such as `saas~18`.
      const [major] = data.server_version_info;
      const version = /\d+/.exec(String(major))?.[0];
      return version === undefined ? {} : { version, ...refusalOf(version, least, tooOld) };
    },
  };
}

function refusalOf(version: string, least: number, tooOld: string): Pick<FoundSystem, "refusal"> {
  if (Number(version) >= least) return {};
  const sentence = Number(version) < oldest ? explanations.tooOld : tooOld;
  return { refusal: sentence.replace("{version}", version) };
}
