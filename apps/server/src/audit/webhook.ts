import { createHmac } from "node:crypto";
import type { AuditSegment } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import { apiVersionOf, builtinKinds, type ObjectKey } from "@butler/resource";
import {
  backoffDelayMs,
  type BackoffPolicy,
  type Clock,
  describeError,
  isRecord,
  NotFound,
  sleep,
  Unavailable,
} from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { type ExportCursors, nextExport } from "./export.ts";

/** The webhook. */
export interface WebhookTarget {
  readonly url: string;
  /** Signing key of posts. */
  readonly key: string;
}

/** Options of the export. */
export interface WebhookOptions {
  readonly client: Pick<KubeClient, "find" | "patch" | "create">;
  readonly segments: () => readonly AuditSegment[];
  /** Called before every post; undefined if no webhook is configured. */
  readonly target: () => Promise<WebhookTarget | undefined>;
  /** ConfigMap that remembers how far each chain has been posted. */
  readonly cursorKey: ObjectKey;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly fetch?: typeof fetch | undefined;
  readonly batchSize?: number;
  readonly pauseMs?: number;
  readonly retry?: BackoffPolicy;
}

const defaultRetry: BackoffPolicy = { initialMs: 1_000, maximumMs: 60_000, factor: 2, jitter: 0.5 };
const postTimeoutMs = 15_000;

/**
 * Posts every record to an address, from what is stored: as JSON lines, each with its id, signed, in order within each
 * chain, and retries until the address accepts them. After a crash some may be posted twice, but none is lost.
 * Only one process may run it at a time.
 */
export async function runWebhookExport(options: WebhookOptions, signal: AbortSignal): Promise<void> {
  const { clock, logger, pauseMs = 1_000, retry = defaultRetry } = options;
  let cursors: ExportCursors | undefined;
  let failures = 0;
  while (!signal.aborted) {
    try {
      cursors ??= await readCursors(options, signal);
      const posted = await postNext(options, cursors, signal);
      failures = 0;
      if (posted === undefined) await sleep(clock, pauseMs, signal);
      else cursors = posted;
    } catch (error) {
      if (signal.aborted) return;
      // Reread the cursor: another replica may have continued in the meantime.
      cursors = undefined;
      failures++;
      logger.warn("failed to send audit records to the webhook", { failures, error: describeError(error) });
      await sleep(clock, backoffDelayMs(retry, failures), signal).catch(() => undefined);
    }
  }
}

/** Posts the next records; undefined when there is nothing to post. */
async function postNext(
  options: WebhookOptions,
  cursors: ExportCursors,
  signal: AbortSignal,
): Promise<ExportCursors | undefined> {
  const batch = nextExport(options.segments(), cursors, options.batchSize ?? 500);
  const target = batch.lines.length === 0 ? undefined : await options.target();
  if (target === undefined) return undefined;
  const send = options.fetch ?? fetch;
  const body = batch.lines.map((line) => `${line}\n`).join("");
  const timestamp = String(Math.floor(options.clock.now().getTime() / 1_000));
  const response = await send(target.url, {
    method: "POST",
    headers: {
      "content-type": "application/x-ndjson",
      "x-butler-timestamp": timestamp,
      "x-butler-signature": signatureOf(target.key, timestamp, body),
    },
    body,
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(postTimeoutMs)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Unavailable(`the webhook returned ${response.status}`);
  await writeCursors(options, batch.cursors, signal);
  return batch.cursors;
}

/** Signature of a post and its timestamp: HMAC-SHA-256 over the timestamp, a dot and the body. */
export function signatureOf(key: string, timestamp: string, body: string): string {
  return `sha256=${createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex")}`;
}

async function readCursors({ client, cursorKey }: WebhookOptions, signal: AbortSignal): Promise<ExportCursors> {
  const found = await client.find(builtinKinds.ConfigMap, cursorKey, signal);
  const data = isRecord(found?.["data"]) ? found["data"] : {};
  return Object.fromEntries(Object.entries(data).map(([chain, number]) => [chain, Number(number) || 0]));
}

async function writeCursors(
  { client, cursorKey }: WebhookOptions,
  cursors: ExportCursors,
  signal: AbortSignal,
): Promise<void> {
  const data = Object.fromEntries(Object.entries(cursors).map(([chain, number]) => [chain, String(number)]));
  const kind = builtinKinds.ConfigMap;
  try {
    // A JSON patch, so that dropped chains are removed.
    const patch = [{ op: "add", path: "/data", value: data }];
    await client.patch(kind, cursorKey, { type: "json", patch, fieldManager: "butler-server", signal });
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    const { name, namespace } = cursorKey;
    const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, namespace }, data };
    await client.create(kind, object, { fieldManager: "butler-server", signal });
  }
}
