import { open, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/** Number of requests by `verb resource/subresource`; failed requests have their status code as a suffix. */
export type RequestCounts = Readonly<Record<string, number>>;

/** The API server writes audit events in batches; maximum delay of a batch. */
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

/** Flags of an API server with audit logging. */
export function auditFlags(policyFile: string, logFile: string): Record<string, string> {
  return {
    "audit-policy-file": policyFile,
    "audit-log-path": logFile,
    // Requests must not wait for the audit file.
    "audit-log-mode": "batch",
    "audit-log-batch-max-wait": "1s",
    "audit-log-batch-buffer-size": "100000",
  };
}

/** Reads the requests of users from the audit log of an API server, chunk by chunk. */
export class AuditLog {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The size of the file once all earlier requests are in it. */
  async mark(): Promise<number> {
    await wait(flushMs);
    return (await stat(this.#file)).size;
  }

  /** Requests of each user between two marks. */
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
  // A watch counts when it starts, every other request when it has finished.
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
    // A chunk starts or ends within a line only if the mark was taken during a write.
    return undefined;
  }
}

/** Sums by first word. */
export function byVerb(counts: RequestCounts): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, value] of Object.entries(counts)) {
    const [verb = ""] = key.split(" ");
    sums[verb] = (sums[verb] ?? 0) + value;
  }
  return sums;
}

/** The highest counts. */
export function mostOf(counts: RequestCounts, most = 12): Record<string, number> {
  const sorted = Object.entries(counts).toSorted(([, left], [, right]) => right - left);
  return Object.fromEntries(sorted.slice(0, most));
}

/** The total. */
export function sumOf(counts: RequestCounts): number {
  return Object.values(counts).reduce((sum, value) => sum + value, 0);
}

/** Requests of one user. */
export function requestsOf(asked: ReadonlyMap<string, RequestCounts>, user: string): RequestCounts {
  return asked.get(user) ?? {};
}

/** Other counts under the same names. */
export function mapped(counts: RequestCounts, change: (value: number, name: string) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, change(value, name)]));
}
