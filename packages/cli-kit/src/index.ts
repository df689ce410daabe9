/**
 * Shared code of Butler's command lines: output formats, progress, errors and exit codes, waiting, completion, the
 * reference, and running a command line. Nothing here depends on particular commands or on Kubernetes.
 */
export * from "./age.ts";
export * from "./cli-errors.ts";
export { shownCommands } from "./command-tree.ts";
export { completionCommand } from "./completion/completion-command.ts";
export type { NameQuestion, NameSource, NameSources } from "./completion/run-completion.ts";
export * from "./confirm.ts";
export { withExamples } from "./examples.ts";
export * from "./facts.ts";
export * from "./lazy-commands.ts";
export { type Loudness, withGlobalOptions } from "./loudness.ts";
export * from "./option-values.ts";
export * from "./output.ts";
export * from "./printable.ts";
export * from "./progress.ts";
export { buildReference } from "./reference.ts";
export * from "./run-cli.ts";
export * from "./run-program.ts";
export * from "./shell-quote.ts";
export * from "./style.ts";
export * from "./table.ts";
export * from "./terminal.ts";
export { clientVersion, type ServerVersions, versionCommand } from "./version-command.ts";
export * from "./value-files.ts";
export * from "./wait.ts";
