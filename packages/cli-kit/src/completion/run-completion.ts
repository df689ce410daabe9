import type { Command } from "commander";
import type { Terminal } from "../terminal.ts";
import { type Completion, completionOf, type TypedWords } from "./complete.ts";

/** A request to a source of names. */
export interface NameQuestion extends TypedWords {
  readonly signal: AbortSignal;
}

/** Returns names of one sort. */
export type NameSource = (question: NameQuestion) => Promise<readonly string[]>;

/** Sources by sort, which is the placeholder of an argument or option value in the help. */
export type NameSources = Readonly<Record<string, NameSource>>;

/** Waiting longer for a list of names than it takes to type one is pointless. */
const patienceMs = 1_500;

/** Directives by kubectl's convention: no file completion, or the shell's default completion. */
const directives = { noFiles: ":4", anything: ":0" } as const;

export interface CompletionRun {
  readonly program: Command;
  readonly words: readonly string[];
  readonly sources: NameSources;
}

/**
 * Prints one completion per line, and the directive for the shell last. Errors of name lookups are not printed, because
 * they would end up in the middle of the command line being typed.
 */
export async function runCompletion({ program, words, sources }: CompletionRun, terminal: Terminal): Promise<void> {
  const completion = completionOf(program, words);
  const names = await namesFor(completion, sources, terminal);
  const last = words.at(-1) ?? "";
  const lines = [
    ...completion.candidates.map(({ word, description }) => (description === "" ? word : `${word}\t${description}`)),
    ...names.map((name) => completion.prefix + name).filter((word) => word.startsWith(last)),
    completion.allowsFiles ? directives.anything : directives.noFiles,
  ];
  terminal.print(lines.join("\n"));
}

async function namesFor(
  { sort, typed }: Completion,
  sources: NameSources,
  { clock }: Terminal,
): Promise<readonly string[]> {
  const source = sort === undefined || !Object.hasOwn(sources, sort) ? undefined : sources[sort];
  if (source === undefined) return [];
  const ended = new AbortController();
  const tooLate = Promise.withResolvers<readonly string[]>();
  const timer = clock.after(patienceMs, () => {
    ended.abort();
    tooLate.resolve([]);
  });
  try {
    return await Promise.race([source({ ...typed, signal: ended.signal }), tooLate.promise]);
  } catch {
    return [];
  } finally {
    timer.cancel();
  }
}
