import { open, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/** How often something was asked, by `verb resource/subresource`; refusals and conflicts have their code behind it. */
export type RequestCounts = Readonly<Record<string, number>>;

/** The API server writes what it was asked in batches; this is how long one may wait. */
const flushMs = 2_500;

/** Audit policy of the API server: requests and users, without contents. */
export function auditPolicy(users: readonly string[]): object {
  return {
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    omitStages: ["RequestReceived", "Panic"],
    omitManagedFields: true,
    rules: [{ level: "Metadata", users }, { level: "None" }],
  };
}

/** The flags of an API server that writes it down. */
export function auditFlags(policyFile: string, logFile: string): Record<string, string> {
  return {
    "audit-policy-file": policyFile,
    "audit-log-path": logFile,
    // Requests must not wait for the file.
    "audit-log-mode": "batch",
    "audit-log-batch-max-wait": "1s",
    "audit-log-batch-buffer-size": "100000",
  };
}

/** Reads, piece by piece, what users have asked of an API server. */
export class AuditLog {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Where the file ends once everything that was asked before is in it. */
  async mark(): Promise<number> {
    await wait(flushMs);
    return (await stat(this.#file)).size;
  }

  /** What each user has asked between two marks. */
  async between(from: number, to: number): Promise<ReadonlyMap<string, RequestCounts>> {
    const handle = await open(this.#file);
    const users = new Map<string, Record<string, number>>();
    try {
      const lines = handle.readLines({ start: from, end: Math.max(from, to - 1) });
      for await (const line of lines) count(line, users);
    } finally {
      await handle.close();
    }
    return users;
  }
}

interface AuditEvent {
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly requestURI: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

function count(line: string, users: Map<string, Record<string, number>>): void {
  const event = readEvent(line);
  if (event === undefined) return;
  const { stage, verb, user, requestURI, objectRef, responseStatus } = event;
  // A watch counts when it begins, everything else when it has ended.
  if (stage !== (verb === "watch" ? "ResponseStarted" : "ResponseComplete")) return;
  const { resource, subresource } = objectRef ?? {};
  const target =
    resource === undefined ? requestURI.split("?", 1)[0] : [resource, subresource].filter(Boolean).join("/");
  const { code = 200 } = responseStatus ?? {};
  const key = `${verb} ${target}${code >= 400 ? ` ${code}` : ""}`;
  const counts = users.get(user.username) ?? {};
  counts[key] = (counts[key] ?? 0) + 1;
  users.set(user.username, counts);
}

function readEvent(line: string): AuditEvent | undefined {
  try {
    return JSON.parse(line) as AuditEvent;
  } catch {
    // The piece that was read begins or ends within a line only when a mark was taken while one was written.
    return undefined;
  }
}

/** The counts added up by their first word. */
export function byVerb(counts: RequestCounts): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, value] of Object.entries(counts)) {
    const [verb = ""] = key.split(" ");
    sums[verb] = (sums[verb] ?? 0) + value;
  }
  return sums;
}

/** The most frequent of the counts. */
export function mostOf(counts: RequestCounts, most = 12): Record<string, number> {
  const sorted = Object.entries(counts).toSorted(([, left], [, right]) => right - left);
  return Object.fromEntries(sorted.slice(0, most));
}

/** All of the counts together. */
export function sumOf(counts: RequestCounts): number {
  return Object.values(counts).reduce((sum, value) => sum + value, 0);
}

/** What one user has asked. */
export function requestsOf(asked: ReadonlyMap<string, RequestCounts>, user: string): RequestCounts {
  return asked.get(user) ?? {};
}

/** Other numbers under the same names. */
export function mapped(counts: RequestCounts, change: (value: number, name: string) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, change(value, name)]));
}
