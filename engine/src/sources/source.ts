import { InvalidInput } from "@butler/std";
import type { Tool } from "../lock-file.ts";

/** The kinds of sources of binaries. */
export type SourceName = "archive" | "go";

/** A request to a source. */
export interface SourceRequest {
  /** The requested tools, in order of need. */
  readonly tools: readonly Tool[];
  /** An empty directory on the cache's file system. */
  readonly workDirectory: string;
  /** Checks that a finished file runs and has the right version, then moves it into the cache. */
  deliver(tool: Tool, file: string): Promise<void>;
  /** Reports that a tool cannot be provided by this source, and why. */
  fail(tool: Tool, error: unknown): void;
  /** Reports which tool is in progress, with the completed share if known; there may be several at once. */
  working(tool: Tool, fraction?: number): void;
  /** Reports an additional message to the user. */
  note(text: string): void;
  readonly signal: AbortSignal | undefined;
}

/** A source of binaries. */
export interface Source {
  readonly name: SourceName;
  /** Why this source never provides a tool; undefined when it can. */
  refuses?(tool: Tool): string | undefined;
  /** Delivers or fails each tool; throwing fails all undelivered ones. */
  bring(request: SourceRequest): Promise<void>;
}

const allSources: readonly SourceName[] = ["archive", "go"];

/** Reads `BUTLER_ENGINE_SOURCES`, for example `go` or `archive,go`. */
export function parseSourceOrder(text: string | undefined): readonly SourceName[] {
  const names = (text ?? "").split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  const unknown = names.filter((name) => !allSources.some((source) => source === name));
  if (unknown.length > 0) {
    throw new InvalidInput(
      `unknown source in BUTLER_ENGINE_SOURCES: ${unknown.join(", ")}; valid sources: ${allSources.join(", ")}`,
      {
        hint: "Set the variable to go, archive or archive,go, or unset it.",
      },
    );
  }
  return names.length === 0 ? allSources : ([...new Set(names)] as SourceName[]);
}
