import { describeKilledWorkers } from "../support/killed-workers.ts";

describeKilledWorkers();
