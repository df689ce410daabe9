import type { KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { isRecord, sleep, systemClock } from "@butler/std";

/** What to watch, and the receiver of progress messages. */
export interface ProgressReport {
  readonly namespace: string;
  readonly say: (sentence: string) => void;
  /** Aborts when the wait ends. */
  readonly signal: AbortSignal;
}

const intervalMs = 2_000;
/** Helm sets this label on every object it creates. */
const madeByHelm = "app.kubernetes.io/managed-by=Helm";

/** Whether all replicas of a Deployment's current generation are available. */
export function isRolledOut({ metadata, spec, status }: DynamicObject): boolean {
  const wanted = numberAt(spec, "replicas");
  return (
    numberAt(status, "observedGeneration") >= (metadata.generation ?? 0) &&
    numberAt(status, "updatedReplicas") >= wanted &&
    numberAt(status, "availableReplicas") >= wanted
  );
}

function numberAt(fields: unknown, name: string): number {
  const value = isRecord(fields) ? fields[name] : undefined;
  return typeof value === "number" ? value : 0;
}

/**
 * Reports what is waited for, whenever that changes, until the signal aborts. Never fails, because it is only
 * informational.
 */
export async function tellProgress(client: Pick<KubeClient, "list">, report: ProgressReport): Promise<void> {
  const { namespace, say, signal } = report;
  let reported = "";
  while (!signal.aborted) {
    try {
      const search = { namespace, labelSelector: madeByHelm, signal };
      const { items } = await client.list(builtinKinds.Deployment, search);
      const names = items.filter((deployment) => !isRolledOut(deployment)).map(({ metadata }) => metadata.name);
      const sentence = names.length === 0 ? "" : `waiting for ${names.sort().join(", ")}`;
      if (sentence !== reported && sentence !== "") say(sentence);
      reported = sentence;
      await sleep(systemClock, intervalMs, signal);
    } catch {
      // The next poll may succeed; helm itself reports real errors.
      if (!signal.aborted) await sleep(systemClock, intervalMs, signal).catch(() => undefined);
    }
  }
}
