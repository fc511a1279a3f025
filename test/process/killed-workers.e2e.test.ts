import { describeKilledWorkers, describeStoppedWorker } from "../support/killed-workers.ts";

describeKilledWorkers();
describeStoppedWorker();
