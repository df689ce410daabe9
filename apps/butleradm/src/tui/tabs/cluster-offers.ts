import { mainPoolName, type PoolSize, poolSizes, type TenantCluster } from "@butler/api";
import {
  decideDeletion,
  decideProtection,
  decideScale,
  decideUpgrade,
  type Decision,
  isProtected,
  readWorkers,
} from "@butler/cluster-operations";
import { blockerText, keyOf, keyText } from "@butler/resource";
import type { Change, Offer, Outcome, Question } from "../model/offer.ts";

/** Actions on a cluster. */
export function clusterOffers(cluster: TenantCluster): Offer[] {
  const isOn = isProtected(cluster);
  const offers: Offer[] = [
    { key: "s", title: "scale", begin: () => scaleQuestion(cluster, poolSizes(cluster.spec), 0) },
    { key: "u", title: "upgrade", begin: () => upgradeQuestion(cluster) },
    { key: "p", title: isOn ? "unprotect" : "protect", begin: () => protectQuestion(cluster, !isOn) },
    { key: "z", title: cluster.spec.paused ? "resume" : "pause", begin: () => pauseQuestion(cluster) },
    { key: "d", title: "delete", begin: () => deleteQuestion(cluster) },
  ];
  const deletion = decideDeletion(cluster);
  if (deletion.state !== "unchanged") return offers;
  return offers.map((offer) => ({ ...offer, begin: () => `${deletion.message}.` }));
}

type Patch = Extract<Change["how"], { verb: "patch" }>;

function patchOf(cluster: TenantCluster, texts: Pick<Change, "what" | "done">, how: Omit<Patch, "verb">): Change {
  return { kind: "TenantCluster", key: keyOf(cluster), how: { verb: "patch", ...how }, ...texts };
}

/** The outcome of an answer: a confirmation of the change, or why there is none. */
function confirmed(
  cluster: TenantCluster,
  decision: Decision,
  { title, what }: { readonly title: string; readonly what: string },
): Exclude<Outcome, { readonly kind: "change" }> {
  if (decision.state === "refused") return { kind: "fault", fault: blockerText(decision.refusal) };
  if (decision.state === "unchanged") return { kind: "fault", fault: `${decision.message}.` };
  const { patch, summary: done, effects: lines } = decision;
  const change = patchOf(cluster, { what: `${what} ${cluster.metadata.name}`, done }, { type: "json", patch });
  return { kind: "ask", question: { kind: "confirm", title, lines, change } };
}

function scaleQuestion(cluster: TenantCluster, pools: readonly PoolSize[], at: number): Question {
  const { name } = cluster.metadata;
  const { name: pool, replicas: before } = pools[at] ?? { name: mainPoolName, replicas: 0 };
  const others = pools.length > 1 ? ["Press Tab for the next pool."] : [];
  return {
    kind: "type",
    title: `Scale ${keyText(cluster.metadata)}`,
    lines: [`The pool ${pool} has ${before} worker ${before === 1 ? "machine" : "machines"}.`, ...others],
    label: "Worker machines",
    initial: String(before),
    answered: (text) => {
      const decision = decideScale(cluster, { pool, workers: readWorkers(text) });
      return confirmed(cluster, decision, { title: `Scale ${name}`, what: "scaling" });
    },
    ...(pools.length > 1 ? { next: () => scaleQuestion(cluster, pools, (at + 1) % pools.length) } : {}),
  };
}

function upgradeQuestion(cluster: TenantCluster): Question {
  const { name } = cluster.metadata;
  const current = cluster.status?.observedState?.kubernetesVersion ?? cluster.spec.kubernetesVersion ?? "v";
  return {
    kind: "type",
    title: `Upgrade ${keyText(cluster.metadata)}`,
    lines: [`Current version: ${current}`],
    label: "Kubernetes version",
    initial: current,
    answered: (text) => {
      const decision = decideUpgrade(cluster, text.trim());
      return confirmed(cluster, decision, { title: `Upgrade ${name}`, what: "upgrading" });
    },
  };
}

function protectQuestion(cluster: TenantCluster, isWanted: boolean): Question | string {
  const title = `${isWanted ? "Protect" : "Unprotect"} ${keyText(cluster.metadata)}`;
  const what = isWanted ? "protecting" : "unprotecting";
  const outcome = confirmed(cluster, decideProtection(cluster, isWanted), { title, what });
  return outcome.kind === "ask" ? outcome.question : outcome.fault;
}

function pauseQuestion(cluster: TenantCluster): Question {
  const { name } = cluster.metadata;
  const isPaused = cluster.spec.paused;
  const done = isPaused ? `${name} was resumed.` : `${name} was paused.`;
  const patch = { spec: { paused: !isPaused } };
  return {
    kind: "confirm",
    title: `${isPaused ? "Resume" : "Pause"} ${keyText(cluster.metadata)}`,
    lines: [
      isPaused
        ? "Pending changes will be applied."
        : "The cluster keeps running; changes are not applied until you resume it.",
    ],
    change: patchOf(cluster, { what: `${isPaused ? "resuming" : "pausing"} ${name}`, done }, { type: "merge", patch }),
  };
}

function deleteQuestion(cluster: TenantCluster): Question | string {
  const { name } = cluster.metadata;
  const decision = decideDeletion(cluster);
  if (decision.state === "refused") return `${decision.refusal.message}. Press p to unprotect it first.`;
  if (decision.state === "unchanged") return `${decision.message}.`;
  const change: Change = {
    kind: "TenantCluster",
    key: keyOf(cluster),
    how: { verb: "delete", uid: decision.uid },
    what: `deleting ${name}`,
    done: `${name} is being deleted.`,
  };
  return {
    kind: "type",
    title: `Delete ${keyText(cluster.metadata)}`,
    lines: [
      "This permanently deletes the control plane and its state, the worker machines and their disks, and all address allocations.",
      "This cannot be undone.",
    ],
    label: `Type ${name} to delete it`,
    initial: "",
    answered: (text) =>
      text.trim() === name ? { kind: "change", change } : { kind: "fault", fault: "The name does not match." },
  };
}
