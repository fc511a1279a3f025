import { inject } from "vitest";
import { describePrivacy } from "../support/describe-privacy.ts";

describePrivacy(inject("redisUrl"));
