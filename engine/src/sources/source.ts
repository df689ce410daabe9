import { InvalidInput } from "@butler/std";
import type { Tool } from "../lock-file.ts";

/** The ways by which a binary can come. */
export type SourceName = "archive" | "go";

/** What a source is given to work with. */
export interface SourceRequest {
  /** What is wanted, in order of need. */
  readonly tools: readonly Tool[];
  /** An empty directory on the cache's file system. */
  readonly workDirectory: string;
  /** Checks that a finished file runs and is the right version, then moves it into the cache. */
  deliver(tool: Tool, file: string): Promise<void>;
  /** Says that a tool will not come from this source, and why. */
  fail(tool: Tool, error: unknown): void;
  /** Says which tool is being worked on, with the share done where it is known; there may be several at once. */
  working(tool: Tool, fraction?: number): void;
  /** Tells the person about something that happens besides, as a sentence. */
  note(text: string): void;
  readonly signal: AbortSignal | undefined;
}

/** One way by which binaries come. */
export interface Source {
  readonly name: SourceName;
  /** Why a tool can never come from here; undefined when it can. */
  refuses?(tool: Tool): string | undefined;
  /** Delivers or fails each tool; throwing counts as a failure of all that is undelivered. */
  bring(request: SourceRequest): Promise<void>;
}

const allSources: readonly SourceName[] = ["archive", "go"];

/** Reads `BUTLER_ENGINE_SOURCES`, for example `go` or `archive,go`. */
export function parseSourceOrder(text: string | undefined): readonly SourceName[] {
  const names = (text ?? "").split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  const unknown = names.filter((name) => !allSources.some((source) => source === name));
  if (unknown.length > 0) {
    throw new InvalidInput(`BUTLER_ENGINE_SOURCES names ${unknown.join(", ")}; possible are ${allSources.join(", ")}`, {
      hint: "Set it for example to go, to archive or to archive,go, or leave it unset.",
    });
  }
  return names.length === 0 ? allSources : ([...new Set(names)] as SourceName[]);
}
