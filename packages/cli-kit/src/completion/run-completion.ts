import type { Command } from "commander";
import type { Terminal } from "../terminal.ts";
import { type Completion, completionOf, type TypedWords } from "./complete.ts";

/** What a source of names is asked. */
export interface NameQuestion extends TypedWords {
  readonly signal: AbortSignal;
}

/** Gives names of one sort, from wherever they are. */
export type NameSource = (question: NameQuestion) => Promise<readonly string[]>;

/** Sources by the sort that they have: as arguments and values of options are called in the help. */
export type NameSources = Readonly<Record<string, NameSource>>;

/** Nobody waits longer for a list of names than they would take to type one. */
const patienceMs = 1_500;

/** Shells that are asked by kubectl's convention: no files, or whatever the shell would offer. */
const directives = { noFiles: ":4", anything: ":0" } as const;

export interface CompletionRun {
  readonly program: Command;
  readonly words: readonly string[];
  readonly sources: NameSources;
}

/**
 * Prints what could come next, a line each, and last what the shell may add by itself. Whatever goes wrong while names
 * are asked for is not told: somebody is in the middle of typing.
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
