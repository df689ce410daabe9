// `butlerctl`: the command line for the people who use the platform.
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// A short command spends most of its time on reading its own program: what came of that is kept for the next one.
const { XDG_CACHE_HOME = join(homedir(), ".cache") } = process.env;
enableCompileCache(join(XDG_CACHE_HOME, "butler", "compiled"));

const { processTerminal, runCli } = await import("@butler/cli-kit");
const { buildProgram } = await import("./program.ts");
const terminal = processTerminal();
process.exitCode = await runCli(buildProgram(terminal), process.argv.slice(2), terminal);
