import { UsageError } from "./cli-errors.ts";
import type { Terminal } from "./terminal.ts";

export interface TypedConfirmation {
  /** The word to type. */
  readonly word: string;
  /** The prompt, without the word. */
  readonly question: string;
  /** The flag that replaces the answer in scripts. */
  readonly flag: string;
}

/** Whether the user typed the word. Fails in a non-interactive terminal. */
export async function confirmByTyping(
  terminal: Pick<Terminal, "isInteractive" | "ask">,
  { word, question, flag }: TypedConfirmation,
): Promise<boolean> {
  if (!terminal.isInteractive) {
    throw new UsageError("confirmation required, but the terminal is not interactive", {
      hint: `Pass ${flag} to confirm.`,
    });
  }
  const answer = await terminal.ask(`${question} `);
  return answer.trim() === word;
}
