import { describe } from "vitest";
import {
  aCluster,
  aDeployment,
  aMachine,
  aPod,
  aReadyCluster,
  aWarning,
  condition,
  secondsAgo,
} from "./testing/some-facts.ts";
import { aMachineWith, itExplains, type Situation } from "./testing/situation.ts";

const situations: readonly Situation[] = [
  {
    name: "the pod of a machine cannot be scheduled",
    facts: {
      ...aMachineWith({ podName: "blue-workers-x7k2p", phase: "Creating" }),
      pods: [
        aPod("blue-workers-x7k2p", {
          phase: "Pending",
          conditions: [
            { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "1 Insufficient cpu" },
          ],
        }),
      ],
    },
    cause: "PodUnschedulable",
    state: "stuck",
    says: "Worker machine blue-workers-x7k2p in cluster blue is not running because its pod",
    ends: /^Pod blue-0a1b2c3d\/blue-workers-x7k2p/,
  },
  {
    name: "the bootstrap failed",
    facts: aMachineWith({
      initialization: { provisioned: true },
      conditions: [
        condition("BootstrapSucceeded=False BootstrapFailed kubeadm join: could not reach 10.40.1.100:6443"),
      ],
    }),
    cause: "BootstrapFailed",
    state: "stuck",
    says: "could not reach 10.40.1.100:6443",
    next: "kubectl -n blue-0a1b2c3d delete machine blue-workers-x7k2p",
    ends: /^LocalMachine/,
  },
  {
    name: "a machine has failed permanently",
    facts: aMachineWith({ failureReason: "NodeImageUnknown", failureMessage: "there is no node image for v1.36.3" }),
    cause: "MachineFailed",
    state: "stuck",
    says: "there is no node image for v1.36.3",
  },
  {
    name: "Cluster API reports a machine as failed",
    facts: aMachineWith({}, { phase: "Failed", conditions: [condition("Ready=False Failed the provider gave up")] }),
    cause: "MachineFailed",
    state: "stuck",
    says: "the provider gave up",
  },
  {
    name: "the provider cannot create a machine",
    facts: aMachineWith({ conditions: [condition("Ready=False QuotaReached 32 of 32 vCPUs are in use")] }),
    cause: "QuotaReached",
    state: "stuck",
    says: "cannot be created: 32 of 32 vCPUs are in use",
  },
  {
    name: "a machine is being created",
    facts: aMachineWith({ conditions: [condition("Ready=False StartingPod the pod is starting")] }),
    cause: "Provisioning",
    state: "busy",
    says: "blue is progressing (Provisioning)",
  },
  {
    name: "Cluster API cannot create machines",
    facts: {
      machineDeployments: [aDeployment()],
      warnings: [aWarning({ object: { kind: "MachineSet", name: "blue-workers-abc" }, message: "template not found" })],
    },
    cause: "MachinesNotMade",
    state: "stuck",
    says: "template not found",
    ends: /^MachineDeployment .*0 of 2 machines exist/,
  },
  {
    name: "the pool is paused",
    facts: { machineDeployments: [aDeployment(2, { paused: true })] },
    cause: "PoolPaused",
    state: "stuck",
    says: "MachineDeployment blue-workers is paused",
  },
  {
    name: "the machine is running but no node joins",
    facts: {
      ...aMachineWith({ initialization: { provisioned: true } }),
      machines: [aMachine({}, { creationTimestamp: secondsAgo(900) })],
    },
    cause: "NodeNeverJoined",
    state: "stuck",
    says: "its node has not joined the cluster after 15m",
  },
  {
    name: "the bootstrap data is missing",
    facts: {
      machineDeployments: [aDeployment()],
      machines: [
        {
          ...aMachine({ conditions: [condition("BootstrapConfigReady=False GenerationFailed no token")] }),
          spec: { ...aMachine().spec, bootstrap: {} },
        },
      ],
    },
    cause: "BootstrapDataMissing",
    state: "stuck",
    says: "is waiting for its bootstrap data: no token",
  },
  {
    name: "a node is not ready",
    facts: {
      cluster: aReadyCluster({ status: { workerNodesReady: 1 } }),
      ...aMachineWith(
        { initialization: { provisioned: true } },
        {
          nodeRef: { name: "blue-workers-x7k2p" },
          conditions: [condition("NodeReady=False KubeletNotReady container runtime network not ready")],
        },
      ),
    },
    cause: "NodeNotReady",
    state: "stuck",
    says: "Node blue-workers-x7k2p in cluster blue is not ready: container runtime network not ready",
    next: "kubectl describe node",
  },
  {
    name: "an upgrade waits for a node to drain",
    facts: {
      cluster: aCluster({ status: { phase: "Updating" } }),
      machineDeployments: [aDeployment()],
      machines: [
        aMachine(
          {
            phase: "Deleting",
            conditions: [condition("Deleting=True DrainingNode pod shop/cart-0 cannot be evicted: disruption budget")],
          },
          { deletionTimestamp: secondsAgo(300), finalizers: ["machine.cluster.x-k8s.io"] },
        ),
      ],
    },
    cause: "NodeNotDrained",
    state: "stuck",
    says: "has been draining for 5m: pod shop/cart-0",
    next: "PodDisruptionBudget",
  },
];

describe("why a cluster lacks workers", () => {
  itExplains(situations);
});
