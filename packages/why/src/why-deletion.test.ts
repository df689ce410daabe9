import { Cluster } from "@butler/api-external";
import { builtinKinds } from "@butler/resource";
import { describe, expect, it } from "vitest";
import {
  aCluster,
  aDeployment,
  aMachine,
  anInfrastructureMachine,
  anObject,
  aPod,
  condition,
  secondsAgo,
  someFacts,
} from "./testing/some-facts.ts";
import {
  aDataStore,
  aLeavingCluster,
  aTenantControlPlane,
  going,
  itExplains,
  type Situation,
} from "./testing/situation.ts";
import { why } from "./why.ts";

const situations: readonly Situation[] = [
  {
    name: "deletion: a machine's provider does not let it go",
    facts: {
      cluster: aLeavingCluster(["WorkersRemoved=False Removing waiting"]),
      machineDeployments: [aDeployment()],
      machines: [aMachine({ phase: "Deleting" }, { ...going, finalizers: ["machine.cluster.x-k8s.io"] })],
      infrastructureMachines: [
        anInfrastructureMachine(
          { conditions: [condition("Ready=False RemovingPod waiting until the pod is gone")] },
          { ...going, finalizers: ["localmachine.infrastructure.cluster.x-k8s.io", "example.com/hold"] },
        ),
      ],
    },
    cause: "MachineStuckDeleting",
    state: "stuck",
    says: "LocalMachine blue-workers-x7k2p has been on its way out for 2m, and the finalizers localmachine.infrastructure.cluster.x-k8s.io (removed by Butler's local provider), example.com/hold hold it",
    next: "describe localmachine blue-workers-x7k2p",
    ends: /held by localmachine.*example\.com\/hold/,
  },
  {
    name: "deletion: a machine has only begun to go",
    facts: {
      cluster: aLeavingCluster(),
      machines: [
        aMachine({ phase: "Deleting" }, { deletionTimestamp: secondsAgo(5), finalizers: ["machine.cluster.x-k8s.io"] }),
      ],
    },
    cause: "MachineStuckDeleting",
    state: "busy",
    says: "machine.cluster.x-k8s.io (removed by Cluster API) holds it",
  },
  {
    name: "deletion: the pod of a machine does not end",
    facts: {
      cluster: aLeavingCluster(),
      machines: [aMachine({}, { ...going, finalizers: ["machine.cluster.x-k8s.io"] })],
      infrastructureMachines: [
        anInfrastructureMachine(
          { podName: "p1" },
          { ...going, finalizers: ["localmachine.infrastructure.cluster.x-k8s.io"] },
        ),
      ],
      pods: [aPod("p1", {}, { deletionTimestamp: secondsAgo(90), deletionGracePeriodSeconds: 30 })],
    },
    cause: "PodStuckDeleting",
    state: "stuck",
    says: "its pod p1 has been ending for 2m on node node-1",
    ends: /^Pod/,
  },
  {
    name: "deletion: the control plane stays",
    facts: {
      cluster: aLeavingCluster(),
      capiCluster: anObject(Cluster, {
        ...going,
        finalizers: ["cluster.cluster.x-k8s.io"],
      }),
      tenantControlPlane: aTenantControlPlane(["Deleting=True RemovingData the data is being removed"], {
        ...going,
        finalizers: ["finalizer.steward.butlerlabs.dev/data-store"],
      }),
    },
    cause: "ControlPlaneStuckDeleting",
    state: "stuck",
    says: "finalizer.steward.butlerlabs.dev/data-store (removed by Steward) holds it: the data is being removed",
    ends: /^TenantControlPlane/,
  },
  {
    name: "deletion: the Cluster API object stays",
    facts: {
      cluster: aLeavingCluster(),
      capiCluster: anObject(Cluster, {
        ...going,
        finalizers: ["cluster.cluster.x-k8s.io"],
      }),
    },
    cause: "ClusterStuckDeleting",
    state: "stuck",
    says: "Cluster blue has been on its way out for 2m",
  },
  {
    name: "deletion: the namespace stays",
    facts: {
      cluster: aLeavingCluster(),
      namespace: anObject(
        builtinKinds.Namespace,
        { name: "blue-0a1b2c3d", namespace: undefined, ...going },
        {
          status: {
            conditions: [condition("NamespaceFinalizersRemaining=True Some example.com/hold in 1 resource instances")],
          },
        },
      ),
    },
    cause: "NamespaceStuckDeleting",
    state: "stuck",
    says: "example.com/hold in 1 resource instances",
  },
  {
    name: "deletion: an add-on stays",
    facts: {
      cluster: aLeavingCluster([
        "AddonsRemoved=False Removing waiting for add-on traefik to go",
        "WorkersRemoved=False Waiting comes after",
      ]),
    },
    cause: "Removing",
    state: "stuck",
    says: "has not got past AddonsRemoved: waiting for add-on traefik to go",
  },
  {
    name: "deletion: overdue at a step",
    facts: {
      cluster: aLeavingCluster([
        "AddressesReleased=False Removing waiting for IPAllocation blue-lb to go",
        "DeletionOverdue=True DeadlineExceeded longer than 30m",
      ]),
    },
    cause: "DeletionOverdue",
    state: "stuck",
    says: "waiting for IPAllocation blue-lb to go",
    next: "butler.butlerlabs.dev/abandon=true",
  },
  {
    name: "deletion: overdue, and nothing else is said",
    facts: { cluster: aLeavingCluster(["DeletionOverdue=True DeadlineExceeded longer than 30m"]) },
    cause: "DeletionOverdue",
    state: "stuck",
    says: "takes longer than it may: longer than 30m",
  },
  {
    name: "deletion: nobody works at it",
    facts: { cluster: aLeavingCluster() },
    cause: "Deleting",
    state: "stuck",
    says: "butler.butlerlabs.dev/tenantcluster (removed by butler-controller) holds it",
    next: "butler-controller runs",
  },
  {
    name: "deletion: somebody else's finalizer",
    facts: { cluster: aCluster({ metadata: { ...going, finalizers: ["example.com/keep"] } }) },
    cause: "Deleting",
    state: "stuck",
    says: "the finalizer example.com/keep holds it",
    next: "who has added the finalizer",
  },
  {
    name: "deletion: only just asked for",
    facts: {
      cluster: aCluster({
        metadata: { deletionTimestamp: secondsAgo(3), finalizers: ["butler.butlerlabs.dev/tenantcluster"] },
      }),
    },
    cause: "Deleting",
    state: "busy",
    says: "on its way out for 3s",
  },
  {
    name: "deletion: the store is down, so data cannot be removed",
    facts: { cluster: aLeavingCluster(), dataStore: aDataStore("Reachable=False NotReachable no member answers") },
    cause: "DataStoreDown",
    state: "stuck",
    says: "no member answers",
  },
];

describe("why a cluster does not go", () => {
  itExplains(situations);

  it("goes through the whole way down to a machine that stays", () => {
    const { chain } = why(
      someFacts({
        cluster: aLeavingCluster(),
        machineDeployments: [aDeployment()],
        machines: [aMachine({ phase: "Deleting" }, { ...going, finalizers: ["machine.cluster.x-k8s.io"] })],
        infrastructureMachines: [anInfrastructureMachine({}, { ...going, finalizers: ["example.com/hold"] })],
      }),
    );
    expect(chain).toEqual([
      "TenantCluster payments/blue: Deleting",
      "MachineDeployment blue-0a1b2c3d/blue-workers: 0 of 2 ready",
      "Machine blue-0a1b2c3d/blue-workers-x7k2p: Deleting",
      "LocalMachine blue-0a1b2c3d/blue-workers-x7k2p: Deleting for 2m, held by example.com/hold",
    ]);
  });
});
