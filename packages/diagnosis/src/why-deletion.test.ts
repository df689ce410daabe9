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
    name: "deletion: the provider keeps its finalizer on a machine",
    facts: {
      cluster: aLeavingCluster(["WorkersRemoved=False Removing waiting"]),
      machineDeployments: [aDeployment()],
      machines: [aMachine({ phase: "Deleting" }, { ...going, finalizers: ["machine.cluster.x-k8s.io"] })],
      infrastructureMachines: [
        anInfrastructureMachine(
          { conditions: [condition("Ready=False RemovingPod waiting for the pod to be deleted")] },
          { ...going, finalizers: ["localmachine.infrastructure.cluster.x-k8s.io", "example.com/hold"] },
        ),
      ],
    },
    cause: "MachineStuckDeleting",
    state: "stuck",
    says: "LocalMachine blue-workers-x7k2p, which has been terminating for 2m, blocked by finalizers localmachine.infrastructure.cluster.x-k8s.io (removed by Butler's local provider), example.com/hold",
    next: "describe localmachine blue-workers-x7k2p",
    ends: /finalizers: localmachine.*example\.com\/hold/,
  },
  {
    name: "deletion: a machine has just started deleting",
    facts: {
      cluster: aLeavingCluster(),
      machines: [
        aMachine({ phase: "Deleting" }, { deletionTimestamp: secondsAgo(5), finalizers: ["machine.cluster.x-k8s.io"] }),
      ],
    },
    cause: "MachineStuckDeleting",
    state: "busy",
    says: "blocked by finalizer machine.cluster.x-k8s.io (removed by Cluster API)",
  },
  {
    name: "deletion: the pod of a machine is stuck terminating",
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
    says: "is waiting for pod p1, which has been terminating for 2m on node node-1",
    ends: /^Pod/,
  },
  {
    name: "deletion: the control plane is stuck",
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
    says: "blocked by finalizer finalizer.steward.butlerlabs.dev/data-store (removed by Steward): the data is being removed",
    ends: /^TenantControlPlane/,
  },
  {
    name: "deletion: the Cluster API Cluster is stuck",
    facts: {
      cluster: aLeavingCluster(),
      capiCluster: anObject(Cluster, {
        ...going,
        finalizers: ["cluster.cluster.x-k8s.io"],
      }),
    },
    cause: "ClusterStuckDeleting",
    state: "stuck",
    says: "Deletion of blue is waiting for Cluster blue, which has been terminating for 2m",
  },
  {
    name: "deletion: the namespace is stuck terminating",
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
    name: "deletion: an add-on is stuck",
    facts: {
      cluster: aLeavingCluster([
        "AddonsRemoved=False Removing waiting for deletion of add-on traefik",
        "WorkersRemoved=False Waiting waiting for earlier steps",
      ]),
    },
    cause: "Removing",
    state: "stuck",
    says: "is at step AddonsRemoved: waiting for deletion of add-on traefik",
  },
  {
    name: "deletion: overdue at a step",
    facts: {
      cluster: aLeavingCluster([
        "AddressesReleased=False Removing waiting for deletion of IPAllocation blue-lb",
        "DeletionOverdue=True DeadlineExceeded longer than 30m",
      ]),
    },
    cause: "DeletionOverdue",
    state: "stuck",
    says: "waiting for deletion of IPAllocation blue-lb",
    next: "butler.butlerlabs.dev/abandon=true",
  },
  {
    name: "deletion: overdue without another condition",
    facts: { cluster: aLeavingCluster(["DeletionOverdue=True DeadlineExceeded longer than 30m"]) },
    cause: "DeletionOverdue",
    state: "stuck",
    says: "Deletion of blue is overdue: longer than 30m",
  },
  {
    name: "deletion: no controller removes the finalizer",
    facts: { cluster: aLeavingCluster() },
    cause: "Deleting",
    state: "stuck",
    says: "blocked by finalizer butler.butlerlabs.dev/tenantcluster (removed by butler-controller)",
    next: "butler-controller is running",
  },
  {
    name: "deletion: a third-party finalizer",
    facts: { cluster: aCluster({ metadata: { ...going, finalizers: ["example.com/keep"] } }) },
    cause: "Deleting",
    state: "stuck",
    says: "blocked by finalizer example.com/keep",
    next: "which controller added the finalizer",
  },
  {
    name: "deletion: just requested",
    facts: {
      cluster: aCluster({
        metadata: { deletionTimestamp: secondsAgo(3), finalizers: ["butler.butlerlabs.dev/tenantcluster"] },
      }),
    },
    cause: "Deleting",
    state: "busy",
    says: "blue has been terminating for 3s",
  },
  {
    name: "deletion: the DataStore is down, so data cannot be removed",
    facts: { cluster: aLeavingCluster(), dataStore: aDataStore("Reachable=False NotReachable no member answers") },
    cause: "DataStoreDown",
    state: "stuck",
    says: "no member answers",
  },
];

describe("why a cluster is not deleted", () => {
  itExplains(situations);

  it("lists the whole chain down to a machine that is stuck", () => {
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
      "LocalMachine blue-0a1b2c3d/blue-workers-x7k2p: Terminating for 2m, finalizers: example.com/hold",
    ]);
  });
});
