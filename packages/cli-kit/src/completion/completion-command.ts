import { Argument, Command } from "commander";
import { withExamples } from "../examples.ts";
import type { Terminal } from "../terminal.ts";
import { completionScript, type Shell, shells } from "./scripts.ts";

/** `completion`, of any program. */
export function completionCommand(terminal: Terminal, program: string): Command {
  const command = new Command("completion")
    .description("Print the completion script for a shell")
    .addArgument(new Argument("<shell>", `shell: ${shells.join(", ")}`).choices(shells))
    .action((shell: Shell) => terminal.print(completionScript(shell, program)));
  return withExamples(command, [
    `source <(${program} completion bash)`,
    `${program} completion zsh > "\${fpath[1]}/_${program}"`,
    `${program} completion fish > ~/.config/fish/completions/${program}.fish`,
  ]);
}
