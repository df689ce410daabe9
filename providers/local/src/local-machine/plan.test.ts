import type { LocalMachine } from "@butler/api";
import type { Pod } from "@butler/api-external";
import type { Plan } from "@butler/controller";
import { type Condition, findCondition, type KubeObject, mergeConditions } from "@butler/resource";
import { planFrozen, type PlanTrial, settleDeletion, settleToFixedPoint } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCluster, aContainer, aLocalMachine, aMachine, aPod, runningPodStatus } from "../testing/objects.ts";
import { type LocalMachineEffect, type Observed, plan } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");
const providerID = "local:////blue-1";

function observedWith(change: Partial<Observed> = {}): Observed {
  return {
    localMachine: aLocalMachine(),
    machine: aMachine(),
    cluster: aCluster(),
    bootstrap: { kind: "script", script: "true\n" },
    pod: undefined,
    hasSecret: false,
    hostname: "blue-1",
    image: "butler-node:v1.36.3",
    imageFault: undefined,
    ...change,
  };
}

function conditionsOf(conditions: Plan["conditions"]): Condition[] {
  return mergeConditions({ current: undefined, stated: conditions ?? [], generation: undefined, now });
}

/** The next state of a pod whose kubelet is healthy and whose bootstrap succeeds. */
function advance(pod: Pod): Pod | undefined {
  if (pod.metadata.deletionTimestamp !== undefined) return undefined;
  if (pod.status?.containerStatuses === undefined) return { ...pod, status: runningPodStatus() };
  const isWell = pod.status.containerStatuses.every(({ state, lastState }) => state?.running && !lastState);
  return isWell && pod.status.phase === "Running" ? { ...pod, status: runningPodStatus({ ready: true }) } : pod;
}

const touches = (kind: string, objects: readonly { readonly kind: unknown }[] = []): boolean =>
  objects.some((object) => object.kind === kind || (object.kind as { kind?: string }).kind === kind);

function nextPod({ pod }: Observed, { apply, remove }: Plan<LocalMachineEffect>): Pod | undefined {
  if (pod !== undefined && pod.metadata.deletionTimestamp === undefined && touches("Pod", remove)) {
    return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: "2026-01-01T00:00:05Z" } };
  }
  const alive = touches("Pod", apply) ? aPod() : pod;
  return alive && advance(alive);
}

/** The state after a plan was applied and the kubelet has taken its next step. */
function settle(observed: Observed, decided: Plan<LocalMachineEffect>): Observed {
  const { apply, remove, effects = [], status, conditions } = decided;
  const { localMachine } = observed;
  return {
    ...observed,
    pod: nextPod(observed, decided),
    hasSecret: (observed.hasSecret || touches("Secret", apply)) && !touches("Secret", remove),
    localMachine: {
      ...localMachine,
      spec: effects.length > 0 ? { ...localMachine.spec, providerID } : localMachine.spec,
      status: {
        ...(status ?? localMachine.status),
        ...(conditions === undefined ? {} : { conditions: conditionsOf(conditions) }),
      },
    },
  };
}

const trial = (observed: Observed): PlanTrial<Observed, LocalMachineEffect> => ({ plan, observed, now, settle });

const ready = (decided: Plan<LocalMachineEffect>) => findCondition(conditionsOf(decided.conditions), "Ready");
const kindsOf = (objects: readonly KubeObject[] = []) => objects.map(({ kind }) => kind);

const provisioned = { initialization: { provisioned: true } };
const joined: LocalMachine["status"] = {
  ...provisioned,
  conditions: conditionsOf([{ type: "BootstrapSucceeded", status: "True", reason: "Joined", message: "" }]),
};

describe("the plan for a machine", () => {
  it.each<[string, Partial<Observed>, string, string]>([
    ["its Machine", { machine: undefined }, "Pending", "WaitingForMachine"],
    ["its Cluster", { cluster: undefined }, "Pending", "WaitingForCluster"],
    ["its data", { bootstrap: { kind: "missing", message: "not yet" } }, "Pending", "WaitingForBootstrapData"],
  ])("waits for %s", (_what, change, phase, reason) => {
    const decided = plan(observedWith(change), now);
    expect(decided).toMatchObject({ finalizer: "hold", apply: [], effects: [], status: { phase }, events: [] });
    expect(decided.status?.["failureReason"]).toBeUndefined();
    expect(ready(decided)).toMatchObject({ status: "False", reason });
  });

  it.each<[string, Partial<Observed>, string]>([
    ["data it cannot use", { bootstrap: { kind: "refused", message: "ntp" } }, "UnsupportedBootstrapData"],
    ["no image", { image: undefined }, "NodeImageUnknown"],
    ["an image that is not allowed", { imageFault: "not in the list" }, "ImageNotAllowed"],
    ["a pod of that name that is not its own", { pod: aPod({}, { ownerReferences: [] }) }, "PodNameTaken"],
    ["its pod deleted", { localMachine: aLocalMachine({ status: provisioned }) }, "PodDeleted"],
    [
      "its pod being deleted",
      {
        localMachine: aLocalMachine({ status: provisioned }),
        pod: aPod(runningPodStatus(), { deletionTimestamp: "2026-01-01T00:00:05Z" }),
      },
      "PodDeleted",
    ],
    ["its pod evicted", { pod: aPod({ phase: "Failed", reason: "Evicted" }) }, "Evicted"],
  ])("fails with %s, and creates nothing", (_what, change, reason) => {
    const decided = plan(observedWith(change), now);
    expect(kindsOf(decided.apply)).not.toContain("Pod");
    expect(decided.status).toMatchObject({ failureReason: reason, failureMessage: expect.stringMatching(/./) });
    expect(decided.events).toEqual([expect.objectContaining({ type: "Warning", reason })]);
    expect(ready(decided)).toMatchObject({ status: "False", reason });
  });

  it("creates a Secret, then a pod, and sets the machine's provider ID", () => {
    const decided = plan(observedWith(), now);
    expect(kindsOf(decided.apply)).toEqual(["Secret", "Pod"]);
    expect(decided.effects).toEqual([
      { type: "setProviderID", name: "blue-1", namespace: "default", uid: "uid-of-local-machine", providerID },
    ]);
    expect(decided.status).toMatchObject({ phase: "Creating", podName: "blue-1" });
    expect(decided.status?.["initialization"]).toBeUndefined();
  });

  it("waits until the pod of an earlier machine is deleted", () => {
    const pod = aPod({}, { deletionTimestamp: "2026-01-01T00:00:05Z" });
    const decided = plan(observedWith({ pod }), now);
    expect(kindsOf(decided.apply)).toEqual(["Secret"]);
    expect(ready(decided)).toMatchObject({ reason: "WaitingForOldPod" });
  });

  it("is provisioned as soon as it has an address and a provider ID, before it has joined", () => {
    const pod = aPod({ ...runningPodStatus(), podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] });
    const anonymous = plan(observedWith({ pod, hasSecret: true }), now);
    expect(anonymous.effects).toHaveLength(1);
    expect(anonymous.status?.["initialization"]).toBeUndefined();
    const named = plan(
      observedWith({ pod, hasSecret: true, localMachine: aLocalMachine({ spec: { providerID } }) }),
      now,
    );
    expect(named).toMatchObject({ apply: [], effects: [] });
    expect(named.status).toMatchObject({
      ...provisioned,
      phase: "Bootstrapping",
      addresses: [
        { type: "InternalIP", address: "10.0.0.1" },
        { type: "InternalIP", address: "fd00::1" },
        { type: "Hostname", address: "blue-1" },
      ],
    });
  });

  it("remembers that a machine has joined while its container restarts", () => {
    const pod = aPod(runningPodStatus({ lastState: { terminated: { exitCode: 137 } } }));
    const decided = plan(observedWith({ pod, localMachine: aLocalMachine({ status: joined }) }), now);
    expect(decided.status).toMatchObject({ phase: "Running", failureReason: "NodeStopped" });
    expect(findCondition(conditionsOf(decided.conditions), "BootstrapSucceeded")?.status).toBe("True");
    expect(ready(decided)?.status).toBe("False");
  });

  it("recreates a lost Secret, and does not change the pod", () => {
    const decided = plan(observedWith({ pod: aPod(runningPodStatus()) }), now);
    expect(kindsOf(decided.apply)).toEqual(["Secret"]);
  });

  it("keeps an existing provider ID", () => {
    const localMachine = aLocalMachine({ spec: { providerID: "local:////other" } });
    const decided = plan(observedWith({ localMachine }), now);
    expect(decided.effects).toEqual([]);
    const secret = decided.apply?.[0] as unknown as { data: Record<string, string> };
    expect(Buffer.from(secret.data["kubelet.env"] ?? "", "base64").toString()).toContain("local:////other");
  });

  it.each<[string, Partial<Observed>]>([
    ["its Cluster is paused", { cluster: aCluster({ spec: { paused: true } }) }],
    ["it is paused itself", { localMachine: aLocalMachine({ annotations: { "cluster.x-k8s.io/paused": "" } }) }],
  ])("does nothing while %s, being deleted or not", (_what, change) => {
    const observed = observedWith({ pod: aPod(), ...change });
    const { localMachine } = observed;
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const deleted = { ...localMachine, metadata: { ...localMachine.metadata, deletionTimestamp } };
    for (const each of [localMachine, { ...localMachine, status: joined }, deleted]) {
      const decided = plan({ ...observed, localMachine: each }, now);
      const statements = decided.conditions?.map(({ type, status }) => `${type}=${status}`);
      expect(statements).toEqual([...(each.status === joined ? ["BootstrapSucceeded=True"] : []), "Paused=True"]);
      expect({ ...decided, conditions: [] }).toEqual({ finalizer: "none", conditions: [] });
    }
  });
});

describe("the plan for a machine that is being deleted", () => {
  const localMachine = aLocalMachine({
    deletionTimestamp: "2026-01-01T00:00:00Z",
    spec: { providerID },
    status: joined,
  });
  const observed = observedWith({ localMachine, pod: aPod(runningPodStatus({ ready: true })), hasSecret: true });

  it("deletes the pod first, then the Secret, and then releases the finalizer", () => {
    const first = plan(observed, now);
    expect(first).toMatchObject({ finalizer: "hold", status: { phase: "Deleting", ...provisioned } });
    expect(first.remove).toEqual([expect.objectContaining({ name: "blue-1", uid: "uid-of-pod" })]);
    const last = plan({ ...observed, pod: undefined }, now);
    expect(last).toMatchObject({ finalizer: "release", remove: [{ name: "blue-1-local-bootstrap" }] });
    expect(plan({ ...observed, pod: undefined, hasSecret: false }, now)).toEqual({ finalizer: "release", remove: [] });
  });

  it("does not delete a pod that does not belong to the machine", () => {
    const pod = aPod({}, { ownerReferences: [] });
    expect(plan({ ...observed, pod, hasSecret: false }, now)).toEqual({ finalizer: "release", remove: [] });
  });

  it("reports a pod that is stuck terminating", () => {
    const pod = { ...aPod({}, { deletionTimestamp: "2025-12-31T23:58:00Z" }) };
    const stuck = plan({ ...observed, pod }, now);
    expect(findCondition(conditionsOf(stuck.conditions), "Deleting")?.reason).toBe("PodStuck");
    expect(stuck.events).toEqual([expect.objectContaining({ reason: "PodStuck" })]);
  });
});

const containers = [
  undefined,
  aContainer({ state: { waiting: { reason: "ContainerCreating" } } }),
  aContainer({ state: { waiting: { reason: "ImagePullBackOff", message: "no" } } }),
  aContainer({ state: { terminated: { exitCode: 1, message: "no" } } }),
  aContainer({ state: { running: {} } }),
  aContainer({ state: { running: {} }, ready: true }),
];

const anyPod = fc
  .record({
    phase: fc.constantFrom("Pending" as const, "Running" as const, "Failed" as const),
    podIP: fc.constantFrom(undefined, "10.0.0.1"),
    container: fc.constantFrom(...containers),
    isOwn: fc.boolean(),
    isGoing: fc.boolean(),
  })
  .map(({ phase, podIP, container, isOwn, isGoing }) =>
    aPod(
      { phase, podIP, ...(container === undefined ? {} : { containerStatuses: [container] }) },
      {
        ...(isOwn ? {} : { ownerReferences: [] }),
        ...(isGoing ? { deletionTimestamp: "2026-01-01T00:00:05Z" } : {}),
      },
    ),
  );

/**
 * Mostly what a machine needs to be created: if every part were equally rare, hardly any state would have all of them.
 */
const mostly = <T>(good: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(good), weight: 4 }, fc.constantFrom(...others));

const anyObserved = fc
  .record({
    machine: mostly<Observed["machine"]>(aMachine(), undefined),
    cluster: mostly<Observed["cluster"]>(aCluster(), undefined, aCluster({ spec: { paused: true } })),
    bootstrap: mostly<Observed["bootstrap"]>(
      { kind: "script", script: "true\n" },
      { kind: "missing", message: "no" },
      { kind: "refused", message: "no" },
    ),
    pod: fc.option(anyPod, { nil: undefined }),
    hasSecret: fc.boolean(),
    image: mostly<Observed["image"]>("butler-node:v1.36.3", undefined),
    imageFault: mostly<Observed["imageFault"]>(undefined, "not allowed"),
    status: fc.constantFrom<LocalMachine["status"]>(undefined, {}, provisioned, joined),
    identity: fc.constantFrom({}, { providerID }),
  })
  .map(({ status, identity, ...rest }) =>
    observedWith({ ...rest, localMachine: aLocalMachine({ spec: identity, status }) }),
  );

describe("every plan for a machine", () => {
  it("reaches a fixed point, does not modify its input, and is deterministic", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        expect(settleToFixedPoint(trial(observed)).passes).toBeLessThan(10);
      }),
    );
  });

  it("leads from nothing to a running node", () => {
    const { observed } = settleToFixedPoint(trial(observedWith()));
    expect(observed.localMachine).toMatchObject({ spec: { providerID }, status: { ...provisioned, phase: "Running" } });
    expect(findCondition(observed.localMachine.status?.conditions, "Ready")?.status).toBe("True");
  });

  it("never reverts that a machine was provisioned, and never creates a second pod for it", () => {
    fc.assert(
      fc.property(anyObserved, fc.constantFrom(provisioned, joined), (any, status) => {
        const observed = { ...any, localMachine: { ...any.localMachine, status } };
        const decided = planFrozen(trial(observed), observed);
        expect(kindsOf(decided.apply)).not.toContain("Pod");
        if (decided.status !== undefined) expect(decided.status).toMatchObject(provisioned);
      }),
    );
  });

  it("writes only its own pod and Secret", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        const { apply = [], remove = [] } = planFrozen(trial(observed), observed);
        const touched = [...apply.map(({ metadata }) => metadata), ...remove];
        for (const { name, namespace } of touched) {
          expect(["blue-1", "blue-1-local-bootstrap"]).toContain(name);
          expect(namespace).toBe("default");
        }
      }),
    );
  });

  it("completes when the machine is deleted, with nothing left behind", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        const { metadata } = observed.localMachine;
        const deletionTimestamp = "2026-01-01T00:00:00Z";
        const localMachine = { ...observed.localMachine, metadata: { ...metadata, deletionTimestamp } };
        const left = settleDeletion(trial({ ...observed, localMachine }));
        if (observed.cluster?.spec?.paused === true) return;
        expect(left.hasSecret).toBe(false);
        expect(left.pod?.metadata.ownerReferences ?? []).toEqual([]);
      }),
    );
  });
});
