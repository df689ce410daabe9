// `butleradm`: the command line for operators.
import { ButlerError, describeError } from "@butler/std";
import { runLocal } from "./local.ts";

const [group, ...rest] = process.argv.slice(2);
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => stopping.abort(new Error("interrupted")));

try {
  if (group !== "local") {
    process.stderr.write("usage: butleradm local up|down|reset|status|kubeconfig|logs|images|doctor [--name NAME]\n");
    process.exitCode = 2;
  } else {
    process.exitCode = await runLocal(rest, {
      print: (text) => process.stdout.write(`${text}\n`),
      say: (text) => process.stderr.write(`${text}\n`),
      signal: stopping.signal,
    });
  }
} catch (error) {
  process.stderr.write(`butleradm: ${describeError(error)}\n`);
  if (error instanceof ButlerError && error.hint !== undefined) process.stderr.write(`${error.hint}\n`);
  process.exitCode = stopping.signal.aborted ? 130 : 1;
}
