import type { NetworkPool } from "./network-pool.ts";

/** How something is, whatever it is. A sign and a word tell it too, so that colour never stands alone. */
export type Tone = "ready" | "working" | "attention" | "failed" | "asleep" | "unknown";

/** How something is: its tone, and the word for it. */
export interface State {
  readonly tone: Tone;
  readonly word: string;
}

/** As much of a cluster as tells how it is. */
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

/** Where a cluster is in its life, in one word. */
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

/** How a cluster is. One that is ready by its phase, but says that something is wrong, needs attention. */
export function clusterState(cluster: ClusterFacts): State {
  if (cluster.spec.paused) return { tone: "asleep", word: "Paused" };
  const phase = clusterPhase(cluster);
  const isUnwell = cluster.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "False");
  if (phase === "Ready" && isUnwell) return { tone: "attention", word: "Not well" };
  return { tone: clusterTones[phase] ?? "unknown", word: phase };
}

/** How full a pool of addresses is. Colour begins where somebody should look. */
export function poolState({ status }: Pick<NetworkPool, "status">): State {
  const { totalIPs, availableIPs } = status ?? {};
  if (totalIPs === undefined || availableIPs === undefined) return { tone: "unknown", word: "Unknown" };
  if (availableIPs <= 0) return { tone: "failed", word: "Full" };
  const used = 1 - availableIPs / totalIPs;
  if (used >= 0.9) return { tone: "failed", word: "Nearly full" };
  return used >= 0.8 ? { tone: "attention", word: "Filling up" } : { tone: "ready", word: "Room left" };
}

/** How an add-on is. */
export interface AddonState extends State {
  /** The word where there is little room; the usual one when absent. */
  readonly short?: string;
}

const removing: AddonState = { tone: "working", word: "Being removed", short: "Removing" };

const addonStates: Readonly<Record<string, AddonState>> = {
  Pending: { tone: "working", word: "Waiting for its turn", short: "Pending" },
  WaitingForDependencies: { tone: "working", word: "Waiting for others", short: "Waiting" },
  Installing: { tone: "working", word: "Installing" },
  Installed: { tone: "ready", word: "Installed" },
  Upgrading: { tone: "working", word: "Changing" },
  RollingBack: { tone: "working", word: "Going back" },
  Degraded: { tone: "attention", word: "Not well" },
  Failed: { tone: "failed", word: "Failed" },
  Deleting: removing,
  Uninstalling: removing,
};

/** How an add-on is, by its phase. */
export function addonState(phase: string, isPaused: boolean): AddonState {
  const state = addonStates[phase] ?? { tone: "unknown", word: phase };
  return isPaused && state !== removing ? { tone: "asleep", word: "Left as it is", short: "Left alone" } : state;
}
