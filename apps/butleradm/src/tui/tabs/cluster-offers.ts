import { annotations, mainPoolName, type TenantCluster } from "@butler/api";
import { planUpgrade, scalePatch } from "@butler/changes";
import { isBeingDeleted, keyOf, keyText } from "@butler/resource";
import { describeError } from "@butler/std";
import { poolSizes } from "@butler/diagnosis";
import type { Change, Offer, Outcome, Question } from "../model/offer.ts";

/** Actions on a cluster. */
export function clusterOffers(cluster: TenantCluster): Offer[] {
  const isProtected = cluster.metadata.annotations?.[annotations.deletionProtection] === "true";
  const offers: Offer[] = [
    { key: "s", title: "scale", begin: () => scaleQuestion(cluster, poolSizes(cluster), 0) },
    { key: "u", title: "upgrade", begin: () => upgradeQuestion(cluster) },
    { key: "p", title: isProtected ? "unprotect" : "protect", begin: () => protectQuestion(cluster, !isProtected) },
    { key: "z", title: cluster.spec.paused ? "resume" : "pause", begin: () => pauseQuestion(cluster) },
    { key: "d", title: "delete", begin: () => deleteQuestion(cluster, isProtected) },
  ];
  const leaving = `${cluster.metadata.name} is already being deleted.`;
  return isBeingDeleted(cluster) ? offers.map((offer) => ({ ...offer, begin: () => leaving })) : offers;
}

type Patch = Extract<Change["how"], { verb: "patch" }>;

function patchOf(cluster: TenantCluster, texts: Pick<Change, "what" | "done">, how: Omit<Patch, "verb">): Change {
  return { kind: "TenantCluster", key: keyOf(cluster), how: { verb: "patch", ...how }, ...texts };
}

function scaleQuestion(cluster: TenantCluster, pools: ReturnType<typeof poolSizes>, at: number): Question {
  const { name } = cluster.metadata;
  const { name: pool, replicas: before } = pools[at] ?? { name: mainPoolName, replicas: 0 };
  const isMain = pool === mainPoolName;
  const answered = (text: string): Outcome => {
    const workers = /^\d{1,4}$/.test(text.trim()) ? Number(text) : NaN;
    const least = isMain ? 1 : 0;
    if (Number.isNaN(workers) || workers < least)
      return { kind: "fault", fault: `Must be an integer of at least ${least}.` };
    if (workers === before) return { kind: "fault", fault: `It already has ${before}.` };
    const what = isMain ? name : `pool ${pool} of ${name}`;
    const done = `Scaling ${what} from ${before} to ${workers} worker machines.`;
    const change = patchOf(cluster, { what: `scaling ${name}`, done }, scalePatch(cluster, { pool, workers }));
    const lost = before - workers;
    const lines =
      lost > 0
        ? [done, `${lost === 1 ? "1 machine is" : `${lost} machines are`} removed; pods are rescheduled.`]
        : [done];
    return { kind: "ask", question: { kind: "confirm", title: `Scale ${name}`, lines, change } };
  };
  const others = pools.length > 1 ? ["Press Tab for the next pool."] : [];
  return {
    kind: "type",
    title: `Scale ${keyText(cluster.metadata)}`,
    lines: [`The pool ${pool} has ${before} worker ${before === 1 ? "machine" : "machines"}.`, ...others],
    label: "Worker machines",
    initial: String(before),
    answered,
    ...(pools.length > 1 ? { next: () => scaleQuestion(cluster, pools, (at + 1) % pools.length) } : {}),
  };
}

function upgradeQuestion(cluster: TenantCluster): Question {
  const { name } = cluster.metadata;
  const current = cluster.status?.observedState?.kubernetesVersion ?? cluster.spec.kubernetesVersion ?? "v";
  const answered = (text: string): Outcome => {
    try {
      const { version, lines } = planUpgrade(cluster, text.trim());
      if (version === undefined) return { kind: "fault", fault: lines.join(" ") };
      const patch = { spec: { kubernetesVersion: version } };
      const texts = { what: `upgrading ${name}`, done: `Upgrading ${name} to ${version}.` };
      const change = patchOf(cluster, texts, { type: "merge", patch });
      return { kind: "ask", question: { kind: "confirm", title: `Upgrade ${name}`, lines, change } };
    } catch (error) {
      return { kind: "fault", fault: describeError(error) };
    }
  };
  return {
    kind: "type",
    title: `Upgrade ${keyText(cluster.metadata)}`,
    lines: [`Current version: ${current}`],
    label: "Kubernetes version",
    initial: current,
    answered,
  };
}

function protectQuestion(cluster: TenantCluster, isWanted: boolean): Question {
  const { name } = cluster.metadata;
  const patch = { metadata: { annotations: { [annotations.deletionProtection]: isWanted ? "true" : null } } };
  const done = isWanted ? `${name} is now protected from deletion.` : `${name} is no longer protected from deletion.`;
  return {
    kind: "confirm",
    title: `${isWanted ? "Protect" : "Unprotect"} ${keyText(cluster.metadata)}`,
    lines: [isWanted ? "It cannot be deleted until you unprotect it." : "It can be deleted afterwards."],
    change: patchOf(
      cluster,
      { what: `${isWanted ? "protecting" : "unprotecting"} ${name}`, done },
      { type: "merge", patch },
    ),
  };
}

function pauseQuestion(cluster: TenantCluster): Question {
  const { name } = cluster.metadata;
  const isPaused = cluster.spec.paused;
  const done = isPaused ? `${name} was resumed.` : `${name} was paused.`;
  const patch = { spec: { paused: !isPaused } };
  return {
    kind: "confirm",
    title: `${isPaused ? "Resume" : "Pause"} ${keyText(cluster.metadata)}`,
    lines: [isPaused ? "Pending changes are applied." : "It keeps running; changes wait until you resume it."],
    change: patchOf(cluster, { what: `${isPaused ? "resuming" : "pausing"} ${name}`, done }, { type: "merge", patch }),
  };
}

function deleteQuestion(cluster: TenantCluster, isProtected: boolean): Question | string {
  const { name, uid } = cluster.metadata;
  if (isProtected) return `${name} is protected from deletion. Press p to unprotect it first.`;
  const change: Change = {
    kind: "TenantCluster",
    key: keyOf(cluster),
    how: { verb: "delete", uid },
    what: `deleting ${name}`,
    done: `${name} is being deleted.`,
  };
  return {
    kind: "type",
    title: `Delete ${keyText(cluster.metadata)}`,
    lines: [
      "This permanently deletes its control plane and state, its worker machines and disks, and its addresses.",
      "This cannot be undone.",
    ],
    label: `Type ${name} to delete it`,
    initial: "",
    answered: (text) =>
      text.trim() === name ? { kind: "change", change } : { kind: "fault", fault: "The name does not match." },
  };
}
