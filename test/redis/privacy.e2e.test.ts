import { afterAll } from "vitest";
import { describePrivacy } from "../support/describe-privacy.ts";
import { startRedis } from "../support/redis-server.ts";

// One of its own: what other tests send would be recorded too, and may come before the recording has begun.
const redis = await startRedis();
afterAll(() => redis.stop());

describePrivacy(redis.url);
