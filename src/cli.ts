import { runProgram } from "./cli/build-program.ts";

await runProgram(process.argv.slice(2));
