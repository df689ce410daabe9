import type { NetworkPool } from "./network-pool.ts";

/** Severity of a state. It is also shown as a symbol and a word, so that no state depends on color alone. */
export type Tone = "ready" | "working" | "attention" | "failed" | "asleep" | "unknown";

/** State of an object: its tone and the word shown for it. */
export interface State {
  readonly tone: Tone;
  readonly word: string;
}

/** The fields of a cluster that determine its state. */
interface ClusterFacts {
  readonly metadata: { readonly deletionTimestamp?: string | undefined };
  readonly spec: { readonly paused?: boolean | undefined };
  readonly status?:
    | {
        readonly phase?: string | undefined;
        readonly conditions?: readonly { readonly type: string; readonly status: string }[] | undefined;
      }
    | undefined;
}

/** Phase of a cluster; Deleting once it has a deletion timestamp. */
export function clusterPhase({ metadata, status }: Omit<ClusterFacts, "spec">): string {
  return metadata.deletionTimestamp === undefined ? (status?.phase ?? "Pending") : "Deleting";
}

const clusterTones: Readonly<Record<string, Tone>> = {
  Pending: "working",
  Provisioning: "working",
  Installing: "working",
  Updating: "working",
  Deleting: "working",
  Ready: "ready",
  Failed: "failed",
};

/** State of a cluster. Phase Ready with condition Ready=False is reported as degraded. */
export function clusterState(cluster: ClusterFacts): State {
  if (cluster.spec.paused) return { tone: "asleep", word: "Paused" };
  const phase = clusterPhase(cluster);
  const isUnwell = cluster.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "False");
  if (phase === "Ready" && isUnwell) return { tone: "attention", word: "Degraded" };
  return { tone: clusterTones[phase] ?? "unknown", word: phase };
}

/** Utilization of a pool. The tone changes from 80% on. */
export function poolState({ status }: Pick<NetworkPool, "status">): State {
  const { totalIPs, availableIPs } = status ?? {};
  if (totalIPs === undefined || availableIPs === undefined) return { tone: "unknown", word: "Unknown" };
  if (availableIPs <= 0) return { tone: "failed", word: "Full" };
  const used = 1 - availableIPs / totalIPs;
  if (used >= 0.9) return { tone: "failed", word: "Nearly full" };
  return used >= 0.8 ? { tone: "attention", word: "Filling up" } : { tone: "ready", word: "Available" };
}

/** State of an add-on. */
export interface AddonState extends State {
  /** Shorter word for narrow columns. Defaults to word. */
  readonly short?: string;
}

const removing: AddonState = { tone: "working", word: "Uninstalling", short: "Removing" };

const addonStates: Readonly<Record<string, AddonState>> = {
  Pending: { tone: "working", word: "Pending" },
  WaitingForDependencies: { tone: "working", word: "Waiting for dependencies", short: "Waiting" },
  Installing: { tone: "working", word: "Installing" },
  Installed: { tone: "ready", word: "Installed" },
  Upgrading: { tone: "working", word: "Upgrading" },
  RollingBack: { tone: "working", word: "Rolling back" },
  Degraded: { tone: "attention", word: "Degraded" },
  Failed: { tone: "failed", word: "Failed" },
  Deleting: removing,
  Uninstalling: removing,
};

/** State of an add-on in a phase. */
export function addonState(phase: string, isPaused: boolean): AddonState {
  const state = addonStates[phase] ?? { tone: "unknown", word: phase };
  return isPaused && state !== removing ? { tone: "asleep", word: "Paused" } : state;
}
