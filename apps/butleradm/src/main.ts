// `butleradm`: the command line for operators.
import { keepCompiledProgram } from "@butler/cli-kit/compile-cache";

keepCompiledProgram();
void start();

/** Modules loaded from here on are in the compile cache. */
async function start(): Promise<void> {
  const [{ runProgram }, { butleradm }] = await Promise.all([import("@butler/cli-kit"), import("./program.ts")]);
  process.exitCode = await runProgram(butleradm, process.argv.slice(2));
}
