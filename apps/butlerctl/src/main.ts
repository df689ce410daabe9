// `butlerctl`: the command line for users of the platform.
import { keepCompiledProgram } from "@butler/cli-kit/compile-cache";

keepCompiledProgram();
void start();

/** What is loaded after this point is kept compiled. */
async function start(): Promise<void> {
  const [{ runProgram }, { butlerctl }] = await Promise.all([import("@butler/cli-kit"), import("./program.ts")]);
  process.exitCode = await runProgram(butlerctl, process.argv.slice(2));
}
