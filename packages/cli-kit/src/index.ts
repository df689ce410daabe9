/**
 * What Butler's command lines share: forms of output, progress, errors with their exit codes, waiting, and the run from
 * words to exit code. Nothing here knows what the commands do, or Kubernetes.
 */
export * from "./age.ts";
export * from "./cli-errors.ts";
export * from "./confirm.ts";
export * from "./examples.ts";
export * from "./option-values.ts";
export * from "./output.ts";
export * from "./printable.ts";
export * from "./progress.ts";
export * from "./run-cli.ts";
export * from "./shell-quote.ts";
export * from "./style.ts";
export * from "./table.ts";
export * from "./terminal.ts";
export * from "./wait.ts";
