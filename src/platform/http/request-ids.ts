import { randomFillSync } from "node:crypto";
import { v7 as uuidv7 } from "uuid";

const bytesOfId = 16;
const idsAtOnce = 256;

/** Version 7 UUIDs. One call to the system gives the random bytes of many. */
export function createRequestIds(): () => string {
  const drawn = new Uint8Array(bytesOfId * idsAtOnce);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    return uuidv7({ random: drawn.subarray(used, (used += bytesOfId)) });
  };
}
