import { formatAge } from "@butler/std";
import type { SourceState } from "./snapshot.ts";

/** How it stands with the connection to the management cluster. */
export type Connection =
  | { readonly state: "connecting"; readonly why?: string | undefined }
  | { readonly state: "live"; readonly version: string }
  /** What is shown may be out of date since then. */
  | { readonly state: "stale"; readonly sinceMs: number; readonly why: string };

/** What the last question to the API server came to. */
export type Probe =
  | { readonly state: "none" }
  | { readonly state: "answered"; readonly version: string }
  | { readonly state: "failed"; readonly why: string };

/** Everything that decides how it stands with the connection. */
export interface ConnectionFacts {
  readonly before: Connection;
  readonly probe: Probe;
  readonly sources: readonly SourceState[];
  readonly nowMs: number;
}

/** How it stands with the connection now. One that has never been there is still being made. */
export function connectionOf({ before, probe, sources, nowMs }: ConnectionFacts): Connection {
  const stale = sources.find((source) => source.state === "stale");
  const isWaiting = sources.every(({ state }) => state === "waiting");
  const why = probe.state === "failed" ? probe.why : stale?.why;
  if (before.state === "connecting" && (probe.state !== "answered" || isWaiting)) return { state: "connecting", why };
  if (why !== undefined) return { state: "stale", sinceMs: before.state === "stale" ? before.sinceMs : nowMs, why };
  if (probe.state === "answered") return { state: "live", version: probe.version };
  return before;
}

/** The connection in a few words. */
export function connectionWords(connection: Connection, nowMs: number): string {
  if (connection.state === "live") return "● Live";
  if (connection.state === "connecting") return "◐ Connecting";
  return `▲ Stale for ${formatAge(nowMs - connection.sinceMs)}`;
}
