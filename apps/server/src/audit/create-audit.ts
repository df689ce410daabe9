import { randomBytes } from "node:crypto";
import { AuditSegment } from "@butler/api";
import { type ApiClient, type Informer, LeaderElection, listAll } from "@butler/kube";
import { type Clock, describeError, ignoreNotFound, sleep, systemClock } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import type { Handler } from "../http/handler.ts";
import type { ServerState } from "../state/state.ts";
import { AuditAnchor } from "./audit-anchor.ts";
import { AuditLog, markRecord } from "./audit-log.ts";
import { chainName } from "./chain.ts";
import { auditHandlers } from "./handlers.ts";
import { planRetention, type RetentionPolicy } from "./retention.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { logVerifier } from "./verify-log.ts";
import { runWebhookExport, type WebhookTarget } from "./webhook.ts";

/** Options of the audit log. */
export interface AuditOptions {
  readonly client: ApiClient;
  /** Before its caches are started. */
  readonly state: Pick<ServerState, "caches">;
  /** Namespace of the Leases and the cursor of the export. */
  readonly namespace: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  readonly retention?: Partial<RetentionPolicy>;
  /** Maximum size of a segment. Every write sends the whole open segment, so small ones are cheap to write. */
  readonly segmentBytes?: number;
  /** How long to retry storing a record before its request is rejected. */
  readonly giveUpMs?: number;
  /** Receives each stored line, for standard output. */
  readonly write?: (line: string) => void;
  /** The webhook; undefined if none is configured. */
  readonly webhook?: () => Promise<WebhookTarget | undefined>;
  /** How the webhook is connected to: the caller decides which addresses are allowed. */
  readonly post?: typeof fetch;
}

/** The audit log of a server. */
export interface Audit {
  readonly sink: AuditLog;
  readonly handlers: () => readonly Handler[];
  /** Deletes expired segments and posts new records, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Shuts the log down cleanly; call this when no request is in progress. */
  close(): Promise<void>;
}

const day = 86_400_000;
const defaultRetention: RetentionPolicy = { maximumAgeMs: 90 * day, maximumBytes: 64 * 1024 * 1024 };
const retentionEveryMs = 3_600_000;
/** How often to check whether a webhook is configured. */
const addressEveryMs = 5_000;

/** Creates the audit log. Writes nothing before the first record. */
export function createAudit(options: AuditOptions): Audit {
  const { client, clock = systemClock, logger = silentLogger, metrics = new MetricsRegistry() } = options;
  const segments = options.state.caches.of(AuditSegment);
  const newChain = (): string => chainName(clock.now(), randomBytes(5).toString("hex"));
  const writer = new SegmentWriter({
    client,
    clock,
    newChain,
    segmentBytes: options.segmentBytes ?? 64 * 1024,
    giveUpMs: options.giveUpMs ?? 5_000,
    requestTimeoutMs: 3_000,
  });
  const sink = new AuditLog({
    writer,
    clock,
    logger,
    metrics,
    windowMs: 20,
    largestBatch: 100,
    mostWaiting: 10_000,
    anchors: () => anchorsOf(segments.list(), writer.head.chain),
    onStored: (line) => {
      anchor.note(writer.head, writer.firstOfSegment);
      options.write?.(`${line}\n`);
    },
  });
  const stored = async (): Promise<AuditSegment[]> => {
    const all: AuditSegment[] = [];
    for await (const segment of listAll(client, AuditSegment)) all.push(segment);
    return all;
  };
  const key = { name: "butler-audit-anchor", namespace: options.namespace };
  const anchor = new AuditAnchor({ client, key, segments: stored, clock, logger });
  const parts = { client, clock, logger, segments, sink, anchor };
  return {
    sink,
    handlers: () => auditHandlers(segments, logVerifier({ anchor, cached: () => segments.list(), stored })),
    run: async (signal) => {
      await Promise.all([runRetention(parts, { ...defaultRetention, ...options.retention }, signal), post(signal)]);
    },
    close: async () => {
      await sink.close();
      await anchor.close();
    },
  };

  async function post(signal: AbortSignal): Promise<void> {
    const { webhook, namespace } = options;
    if (webhook === undefined) return;
    // Without a webhook URL no lease is taken: nothing is written.
    while (!signal.aborted && (await webhook()) === undefined) {
      await sleep(clock, addressEveryMs, signal).catch(() => undefined);
    }
    if (signal.aborted) return;
    const name = "butler-audit-export";
    const election = new LeaderElection({
      client,
      namespace,
      name,
      identity: writer.head.chain,
      clock,
      logger,
      metrics,
    });
    const cursorKey = { name, namespace };
    const lead = (leading: AbortSignal): Promise<void> => {
      const target = { target: webhook, fetch: options.post };
      return runWebhookExport(
        { client, segments: () => segments.list(), ...target, cursorKey, clock, logger },
        leading,
      );
    };
    await election.run(signal, lead);
  }
}

/** The last records of the newest other chains: truncating one of them would require changing this chain as well. */
export function anchorsOf(segments: readonly AuditSegment[], own: string): Record<string, string> {
  const last = new Map<string, AuditSegment["spec"]>();
  for (const { spec } of segments) {
    if (spec.chain !== own && spec.sequence > (last.get(spec.chain)?.sequence ?? 0)) last.set(spec.chain, spec);
  }
  const newest = [...last.values()].sort((left, right) => (left.lastTime > right.lastTime ? -1 : 1)).slice(0, 20);
  return Object.fromEntries(
    newest.map(({ chain, firstRecord, records, lastHash }) => [chain, `${firstRecord + records - 1}:${lastHash}`]),
  );
}

interface Parts {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly segments: Informer<typeof AuditSegment>;
  readonly sink: AuditLog;
  readonly anchor: AuditAnchor;
}

async function runRetention(parts: Parts, policy: RetentionPolicy, signal: AbortSignal): Promise<void> {
  const { clock, logger, segments } = parts;
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await Promise.race([segments.synced, aborted]);
  while (!signal.aborted) {
    await expire(parts, policy, signal).catch((error: unknown) => {
      if (!signal.aborted) logger.warn("failed to delete expired audit records", { error: describeError(error) });
    });
    // Jitter: any one of several servers can do this.
    await sleep(clock, retentionEveryMs * (0.5 + Math.random()), signal).catch(() => undefined);
  }
}

async function expire(parts: Parts, policy: RetentionPolicy, signal: AbortSignal): Promise<void> {
  const { client, clock, segments, sink, anchor } = parts;
  const all = segments.list();
  const gone = planRetention(all, { now: clock.now(), policy });
  // Before they are deleted: what is deleted otherwise counts as lost.
  if (gone.length > 0) await anchor.expire({ gone, kept: all.filter((segment) => !gone.includes(segment)) });
  for (const { metadata } of gone) {
    const { name, uid } = metadata;
    await sink.commit(markRecord("expire", { now: clock.now(), name }));
    await client.delete(AuditSegment, { name }, { uid, signal }).catch(ignoreNotFound);
  }
}
