#!/usr/bin/env node
import "./dist/older-node.js";
import { resolve } from "node:path";

// Sign-ins of runs are kept beside the package that is written, and not in this one.
process.env["STATE_DIR"] ||= resolve(".rollcall");
const { runProviderProgram } = await import("./dist/cli/provider-program.js");
await runProviderProgram(process.argv.slice(2));
