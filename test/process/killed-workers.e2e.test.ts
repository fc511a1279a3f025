import { vi } from "vitest";
import { describeKilledWorkers, describeStoppedWorker } from "../support/killed-workers.ts";

vi.setConfig({ testTimeout: 240_000 });
describeKilledWorkers();
describeStoppedWorker();
