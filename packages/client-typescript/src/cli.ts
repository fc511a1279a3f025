#!/usr/bin/env node
import { argv, env, exit, stderr, stdout } from "node:process";
import { main } from "./commands.ts";

exit(
  await main(argv.slice(2), {
    env,
    print: (line) => stdout.write(`${line}\n`),
    note: (line) => stderr.write(`${line}\n`),
  }),
);
