import type { LocalMachine } from "@butler/api";
import { type Cluster, isPaused, type Machine, type MachineAddress, pausedCondition, Pod } from "@butler/api-external";
import { holds, lacks, pausedPlan, type Plan, type PlannedEvent, type Removal, warningOf } from "@butler/controller";
import {
  blocked,
  type Blocker,
  builtinKinds,
  type ConditionStatement,
  isBeingDeleted,
  isConditionTrue,
  isOwnedBy,
  type KubeObject,
} from "@butler/resource";
import { buildMachinePod, buildMachineSecret, machineSecretName, providerIdOf } from "./manifests.ts";
import { type PodState, readPod } from "./pod-state.ts";

/** The bootstrap data of a machine: missing, unsupported, or translated into a script. */
export type BootstrapData =
  | { readonly kind: "missing"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "script"; readonly script: string };

/** The input of a plan. */
export interface Observed {
  readonly localMachine: LocalMachine;
  /** The Machine that owns it; undefined until Cluster API has set the owner reference. */
  readonly machine: Machine | undefined;
  readonly cluster: Cluster | undefined;
  readonly bootstrap: BootstrapData;
  /** The pod with the machine's name, owned by the machine or not. */
  readonly pod: Pod | undefined;
  /** Whether the machine's own Secret exists. */
  readonly hasSecret: boolean;
  /** The host name of the machine. */
  readonly hostname: string;
  /** The image of the machine; undefined when neither spec.image nor a version is set. */
  readonly image: string | undefined;
  /** Why spec.image may not be used; undefined when it may, or when it is not set. */
  readonly imageFault: string | undefined;
}

export type LocalMachineEffect = {
  readonly type: "setProviderID";
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  readonly providerID: string;
};

type Phase = NonNullable<NonNullable<LocalMachine["status"]>["phase"]>;

/** The state of a machine, before anything is planned. */
interface Verdict {
  readonly phase: Phase;
  readonly pod: Pod | undefined;
  /** True when the machine's children are to be applied. */
  readonly isToBeMade?: boolean;
  readonly hasJoined: boolean;
  readonly isReady?: boolean;
  /** What the machine waits for, if there is no failure. */
  readonly waiting?: Blocker;
  readonly failure?: Blocker | undefined;
}

/** Plans the next step of a LocalMachine. */
export function plan(observed: Observed, now: Date): Plan<LocalMachineEffect> {
  const { localMachine, cluster } = observed;
  if (isPaused(localMachine, cluster)) return pausedPlan(localMachine.status, pausedCondition(true));
  if (isBeingDeleted(localMachine)) return planDeletion(observed, now);
  const verdict = judge(observed);
  return {
    finalizer: "hold",
    apply: childrenToApply(observed, verdict),
    effects: identityToSet(observed, verdict),
    status: statusOf(observed, verdict),
    conditions: conditionsOf(observed, verdict),
    events: eventsOf(verdict),
  };
}

function judge(observed: Observed): Verdict {
  const { localMachine, pod } = observed;
  const hasJoined = isConditionTrue(localMachine.status?.conditions, "BootstrapSucceeded");
  const wasProvisioned = localMachine.status?.initialization?.provisioned === true;
  if (pod !== undefined && !isOwnedBy(pod, localMachine)) {
    return { phase: "Pending", pod: undefined, hasJoined, failure: nameIsTaken(pod) };
  }
  if (pod === undefined || isBeingDeleted(pod)) {
    return wasProvisioned
      ? { phase: "Failed", pod, hasJoined, failure: podIsGone }
      : judgeBeginning(observed, hasJoined);
  }
  return judgePod(pod, readPod(pod, { hasJoined }), hasJoined);
}

/** There is no pod, and the machine was never provisioned. */
function judgeBeginning(
  { machine, cluster, bootstrap, image, imageFault, pod }: Observed,
  hasJoined: boolean,
): Verdict {
  const verdict = { phase: "Pending", pod, hasJoined } as const;
  if (machine === undefined) return { ...verdict, waiting: machineIsMissing };
  if (cluster === undefined) return { ...verdict, waiting: clusterIsMissing };
  if (bootstrap.kind === "missing") {
    return { ...verdict, waiting: { reason: "WaitingForBootstrapData", message: bootstrap.message } };
  }
  if (bootstrap.kind === "refused") {
    return { ...verdict, phase: "Failed", failure: { reason: "UnsupportedBootstrapData", message: bootstrap.message } };
  }
  if (image === undefined) return { ...verdict, phase: "Failed", failure: imageIsUnknown };
  // Admission has judged it for clusters; a machine can also have been created in other ways.
  if (imageFault !== undefined) {
    return { ...verdict, phase: "Failed", failure: { reason: "ImageNotAllowed", message: imageFault } };
  }
  if (pod !== undefined) return { ...verdict, phase: "Creating", waiting: podIsGoing };
  return { ...verdict, phase: "Creating", isToBeMade: true, waiting: podIsStarting };
}

const phaseByStage: Readonly<Record<PodState["stage"], Phase>> = {
  starting: "Creating",
  bootstrapping: "Bootstrapping",
  running: "Running",
  failed: "Failed",
  terminating: "Deleting",
};

function judgePod(pod: Pod, { stage, failure }: PodState, hasJoined: boolean): Verdict {
  const isReady = stage === "running";
  const phase = hasJoined && stage !== "failed" ? "Running" : phaseByStage[stage];
  const waiting = stage === "starting" ? podIsStarting : podIsBootstrapping;
  return { phase, pod, hasJoined: hasJoined || isReady, isReady, waiting, failure };
}

const machineIsMissing: Blocker = {
  reason: "WaitingForMachine",
  message: "waiting for a Machine whose infrastructureRef references this object",
};
const clusterIsMissing: Blocker = {
  reason: "WaitingForCluster",
  message: "waiting for the Machine's Cluster to be created",
};
const imageIsUnknown: Blocker = {
  reason: "NodeImageUnknown",
  message: "spec.image is empty and the Machine has no version to derive an image from; set one of them",
};
const podIsGoing: Blocker = {
  reason: "WaitingForOldPod",
  message: "waiting for the previous pod with this name to be deleted",
};
const podIsStarting: Blocker = { reason: "StartingPod", message: "the pod is starting" };
const podIsBootstrapping: Blocker = { reason: "Bootstrapping", message: "the machine is joining the cluster" };
const podIsGone: Blocker = {
  reason: "PodDeleted",
  message: "this machine's pod was deleted; delete the Machine to replace it",
};

function nameIsTaken({ metadata }: Pod): Blocker {
  return {
    reason: "PodNameTaken",
    message: `pod ${metadata.name} exists but does not belong to this machine; delete it`,
  };
}

/**
 * A pod is immutable, and its Secret records its bootstrap script, so both are applied only until they exist. A lost
 * Secret is recreated, because a restarted container reads it again.
 */
function childrenToApply(observed: Observed, { pod, isToBeMade = false }: Verdict): KubeObject[] {
  const { localMachine, cluster, bootstrap, hasSecret, image, hostname } = observed;
  const isSecretWanted = isToBeMade || (pod !== undefined && !hasSecret);
  if (!isSecretWanted || bootstrap.kind !== "script" || cluster === undefined) return [];
  const common = { localMachine, clusterName: cluster.metadata.name };
  const secret = buildMachineSecret({ ...common, script: bootstrap.script });
  if (!isToBeMade || image === undefined) return [secret];
  return [secret, buildMachinePod({ ...common, image, hostname })];
}

function identityToSet({ localMachine }: Observed, { pod, isToBeMade = false }: Verdict): LocalMachineEffect[] {
  const { name, namespace, uid } = localMachine.metadata;
  if (localMachine.spec.providerID !== undefined || !(isToBeMade || pod !== undefined)) return [];
  return [{ type: "setProviderID", name, namespace, uid, providerID: providerIdOf(localMachine) }];
}

function statusOf({ localMachine, hostname }: Observed, verdict: Verdict): Record<string, unknown> {
  const { phase, pod, isToBeMade = false, failure } = verdict;
  const addresses = addressesOf(pod, hostname);
  const isProvisioned =
    localMachine.status?.initialization?.provisioned === true ||
    (addresses !== undefined && localMachine.spec.providerID !== undefined);
  return {
    initialization: isProvisioned ? { provisioned: true } : undefined,
    addresses,
    podName: isToBeMade ? localMachine.metadata.name : pod?.metadata.name,
    nodeName: pod?.spec.nodeName,
    phase,
    failureReason: failure?.reason,
    failureMessage: failure?.message,
  };
}

function addressesOf(pod: Pod | undefined, hostname: string): MachineAddress[] | undefined {
  const { podIP, podIPs = podIP === undefined ? [] : [{ ip: podIP }] } = pod?.status ?? {};
  if (podIPs.length === 0) return undefined;
  const internal = podIPs.map(({ ip }): MachineAddress => ({ type: "InternalIP", address: ip }));
  return [...internal, { type: "Hostname", address: hostname }];
}

function conditionsOf({ bootstrap }: Observed, verdict: Verdict): ConditionStatement[] {
  const { pod, hasJoined, isReady = false, failure, waiting } = verdict;
  const blocker = failure ?? waiting ?? podIsBootstrapping;
  const hasData = bootstrap.kind === "script" || pod !== undefined || hasJoined;
  return [
    isReady ? holds("Ready", "Running", "the machine is running as a node") : blocked("Ready", blocker),
    isReady ? holds("PodReady", "Running", "the pod is ready") : blocked("PodReady", blocker),
    hasData
      ? holds("BootstrapDataReady", "Available", "bootstrap data is available")
      : blocked("BootstrapDataReady", blocker),
    hasJoined
      ? holds("BootstrapSucceeded", "Joined", "the machine has joined the cluster")
      : blocked("BootstrapSucceeded", blocker),
    pausedCondition(false),
  ];
}

function eventsOf({ failure }: Verdict): PlannedEvent[] {
  return failure === undefined ? [] : [warningOf(failure)];
}

/** A pod that exceeds its grace period by this much belongs to a kubelet that does not respond. */
const patienceMs = 60_000;

function planDeletion(observed: Observed, now: Date): Plan<LocalMachineEffect> {
  const { localMachine } = observed;
  const pod = observed.pod !== undefined && isOwnedBy(observed.pod, localMachine) ? observed.pod : undefined;
  if (pod === undefined)
    return { finalizer: "release", remove: observed.hasSecret ? [secretRemoval(localMachine)] : [] };
  const { name, namespace, uid } = pod.metadata;
  const isStuck = isOverdue(pod, now);
  const { reason, message } = isStuck ? podIsStuck(pod) : podIsRemoved;
  return {
    finalizer: "hold",
    remove: [{ kind: Pod, name, namespace, uid }],
    status: statusOf(observed, { phase: "Deleting", pod, hasJoined: false }),
    conditions: [
      lacks("Ready", "Deleting", "the machine is being deleted"),
      holds("Deleting", reason, message),
      pausedCondition(false),
    ],
    events: isStuck ? [warningOf({ reason, message })] : [],
    requeueAfterMs: patienceMs,
  };
}

const podIsRemoved: Blocker = { reason: "RemovingPod", message: "waiting for the pod to be deleted" };

function isOverdue({ metadata }: Pod, now: Date): boolean {
  return (
    metadata.deletionTimestamp !== undefined && now.getTime() - Date.parse(metadata.deletionTimestamp) > patienceMs
  );
}

function podIsStuck({ metadata, spec }: Pod): Blocker {
  const where = spec.nodeName ?? "its node";
  return {
    reason: "PodStuck",
    message: `pod ${metadata.name} is stuck terminating; check that ${where} is running. If the node is lost, force-delete the pod`,
  };
}

function secretRemoval(localMachine: LocalMachine): Removal {
  return {
    kind: builtinKinds.Secret,
    name: machineSecretName(localMachine),
    namespace: localMachine.metadata.namespace,
  };
}
