import { describePrivacy } from "./support/describe-privacy.ts";

describePrivacy();
