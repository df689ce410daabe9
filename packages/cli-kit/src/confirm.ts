import { UsageError } from "./cli-errors.ts";
import type { Terminal } from "./terminal.ts";

export interface TypedConfirmation {
  /** What has to be typed. */
  readonly word: string;
  /** What is asked, without the word. */
  readonly question: string;
  /** What a script gives instead of the answer. */
  readonly flag: string;
}

/** Whether the person typed the word. Where nobody can answer, the command is refused. */
export async function confirmByTyping(
  terminal: Pick<Terminal, "isInteractive" | "ask">,
  { word, question, flag }: TypedConfirmation,
): Promise<boolean> {
  if (!terminal.isInteractive) {
    throw new UsageError("this needs to be confirmed, and there is no terminal to ask on", {
      hint: `Add ${flag} if you are sure.`,
    });
  }
  const answer = await terminal.ask(`${question} `);
  return answer.trim() === word;
}
