import { formatAge } from "@butler/std";
import type { SourceState } from "./snapshot.ts";

/** State of the connection to the management cluster. */
export type Connection =
  | { readonly state: "connecting"; readonly why?: string | undefined }
  | { readonly state: "live"; readonly version: string }
  /** The data may be outdated since then. */
  | { readonly state: "stale"; readonly sinceMs: number; readonly why: string };

/** Result of the last request to the API server. */
export type Probe =
  | { readonly state: "none" }
  | { readonly state: "answered"; readonly version: string }
  | { readonly state: "failed"; readonly why: string };

/** Input for the state of the connection. */
export interface ConnectionFacts {
  readonly before: Connection;
  readonly probe: Probe;
  readonly sources: readonly SourceState[];
  readonly nowMs: number;
}

/** The current state of the connection. One that was never established is still connecting. */
export function connectionOf({ before, probe, sources, nowMs }: ConnectionFacts): Connection {
  const stale = sources.find((source) => source.state === "stale");
  const isWaiting = sources.every(({ state }) => state === "waiting");
  const why = probe.state === "failed" ? probe.why : stale?.why;
  if (before.state === "connecting" && (probe.state !== "answered" || isWaiting)) return { state: "connecting", why };
  if (why !== undefined) return { state: "stale", sinceMs: before.state === "stale" ? before.sinceMs : nowMs, why };
  if (probe.state === "answered") return { state: "live", version: probe.version };
  return before;
}

/** The state of the connection as text. */
export function connectionWords(connection: Connection, nowMs: number): string {
  if (connection.state === "live") return "● Live";
  if (connection.state === "connecting") return "◐ Connecting";
  return `▲ Stale for ${formatAge(nowMs - connection.sinceMs)}`;
}
