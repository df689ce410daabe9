import { annotations, mainPoolName, type TenantCluster } from "@butler/api";
import { planUpgrade, scalePatch } from "@butler/changes";
import { isBeingDeleted, keyOf, keyText } from "@butler/resource";
import { describeError } from "@butler/std";
import { poolSizes } from "@butler/why";
import type { Change, Offer, Outcome, Question } from "../model/offer.ts";

/** What can be done with a cluster. */
export function clusterOffers(cluster: TenantCluster): Offer[] {
  const isProtected = cluster.metadata.annotations?.[annotations.deletionProtection] === "true";
  const offers: Offer[] = [
    { key: "s", title: "scale", begin: () => scaleQuestion(cluster, poolSizes(cluster), 0) },
    { key: "u", title: "upgrade", begin: () => upgradeQuestion(cluster) },
    { key: "p", title: isProtected ? "unprotect" : "protect", begin: () => protectQuestion(cluster, !isProtected) },
    { key: "z", title: cluster.spec.paused ? "resume" : "pause", begin: () => pauseQuestion(cluster) },
    { key: "d", title: "delete", begin: () => deleteQuestion(cluster, isProtected) },
  ];
  const leaving = `${cluster.metadata.name} is being deleted already.`;
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
      return { kind: "fault", fault: `Give a whole number from ${least} on.` };
    if (workers === before) return { kind: "fault", fault: `It has ${before} already.` };
    const what = isMain ? name : `${name}, pool ${pool},`;
    const done = `${what} goes from ${before} to ${workers} worker machines.`;
    const change = patchOf(cluster, { what: `scaling ${name}`, done }, scalePatch(cluster, { pool, workers }));
    const lost = before - workers;
    const lines =
      lost > 0 ? [done, `${lost === 1 ? "A machine goes" : `${lost} machines go`}; pods move to the others.`] : [done];
    return { kind: "ask", question: { kind: "confirm", title: `Scale ${name}`, lines, change } };
  };
  const others = pools.length > 1 ? ["Tab: the next pool."] : [];
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
      const texts = { what: `upgrading ${name}`, done: `${name} goes to ${version}.` };
      const change = patchOf(cluster, texts, { type: "merge", patch });
      return { kind: "ask", question: { kind: "confirm", title: `Upgrade ${name}`, lines, change } };
    } catch (error) {
      return { kind: "fault", fault: describeError(error) };
    }
  };
  return {
    kind: "type",
    title: `Upgrade ${keyText(cluster.metadata)}`,
    lines: [`It has ${current} now.`],
    label: "Kubernetes version",
    initial: current,
    answered,
  };
}

function protectQuestion(cluster: TenantCluster, isWanted: boolean): Question {
  const { name } = cluster.metadata;
  const patch = { metadata: { annotations: { [annotations.deletionProtection]: isWanted ? "true" : null } } };
  const done = isWanted ? `${name} cannot be deleted any more.` : `${name} can be deleted again.`;
  return {
    kind: "confirm",
    title: `${isWanted ? "Protect" : "Unprotect"} ${keyText(cluster.metadata)}`,
    lines: [isWanted ? "Nobody can delete it until the protection is lifted." : "It can then be deleted again."],
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
  const done = isPaused ? `${name} is looked after again.` : `${name} is left as it is.`;
  const patch = { spec: { paused: !isPaused } };
  return {
    kind: "confirm",
    title: `${isPaused ? "Resume" : "Pause"} ${keyText(cluster.metadata)}`,
    lines: [
      isPaused
        ? "What was changed meanwhile is carried out then."
        : "What runs goes on running; changes wait until it is resumed.",
    ],
    change: patchOf(cluster, { what: `${isPaused ? "resuming" : "pausing"} ${name}`, done }, { type: "merge", patch }),
  };
}

function deleteQuestion(cluster: TenantCluster, isProtected: boolean): Question | string {
  const { name, uid } = cluster.metadata;
  if (isProtected) return `${name} is protected from deletion. Lift the protection first (p) if it is to go.`;
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
      "Its control plane with all its state, its worker machines with their disks, and its addresses go for good.",
      "There is no way back.",
    ],
    label: `Type ${name} to delete it`,
    initial: "",
    answered: (text) =>
      text.trim() === name ? { kind: "change", change } : { kind: "fault", fault: "That is not the name." },
  };
}
