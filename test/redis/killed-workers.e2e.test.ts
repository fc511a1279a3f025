import { vi } from "vitest";
import { describeKilledWorkers } from "../support/killed-workers.ts";

vi.setConfig({ testTimeout: 240_000 });
describeKilledWorkers();
