// `butlerctl`: the command line for the people who use the platform.
import { keepCompiledProgram } from "@butler/cli-kit/compile-cache";

keepCompiledProgram();
const { processTerminal, runCli } = await import("@butler/cli-kit");
const { buildProgram } = await import("./program.ts");
const terminal = processTerminal();
process.exitCode = await runCli(buildProgram(terminal), process.argv.slice(2), terminal);
