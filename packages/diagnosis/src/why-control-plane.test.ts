import { describe } from "vitest";
import { aContainerStatus, aPod, aWarning } from "./testing/some-facts.ts";
import { aControlPlane, aDataStore, aTenantControlPlane, itExplains, type Situation } from "./testing/situation.ts";

const situations: readonly Situation[] = [
  {
    name: "the DataStore is unreachable",
    facts: {
      tenantControlPlane: aTenantControlPlane([]),
      dataStore: aDataStore("Reachable=False NotReachable no member answers"),
    },
    cause: "DataStoreDown",
    state: "stuck",
    says: "DataStore default is unhealthy: no member answers",
    ends: /^DataStore default/,
  },
  {
    name: "the DataStore is full",
    facts: {
      tenantControlPlane: aTenantControlPlane([]),
      dataStore: aDataStore("Reachable=True Ok", "SpaceAvailable=False Full 8Gi of 8Gi"),
    },
    cause: "DataStoreDown",
    state: "stuck",
    says: "8Gi of 8Gi",
  },
  {
    name: "no permission to read the DataStore",
    facts: {
      tenantControlPlane: aTenantControlPlane(["DataStoreReady=False DataStoreGone there is no DataStore gold"]),
    },
    cause: "DataStoreNotReady",
    state: "stuck",
    says: "there is no DataStore gold",
  },
  {
    name: "the API server is crash-looping, with its last output",
    facts: {
      pods: [
        aPod("blue-5f7d", {
          containerStatuses: [
            aContainerStatus({
              restartCount: 4,
              state: { waiting: { reason: "CrashLoopBackOff" } },
              lastState: { terminated: { exitCode: 1 } },
            }),
          ],
        }),
      ],
      lastWords: { "blue-5f7d/kube-apiserver": "unknown flag: --nonsense" },
    },
    cause: "ContainerCrashes",
    state: "stuck",
    says: "restarted 4 times, last exit code 1; last output: unknown flag: --nonsense",
    next: "kubectl -n blue-0a1b2c3d logs blue-5f7d -c kube-apiserver --previous",
  },
  {
    name: "the API server is OOM-killed",
    facts: {
      pods: [
        aPod("blue-5f7d", {
          containerStatuses: [
            aContainerStatus({
              restartCount: 2,
              state: { waiting: { reason: "CrashLoopBackOff" } },
              lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } },
            }),
          ],
        }),
      ],
    },
    cause: "OutOfMemory",
    state: "stuck",
    says: "needs more memory than its limit allows",
    next: "spec.controlPlane.resources",
  },
  {
    name: "the image of the control plane cannot be pulled",
    facts: {
      pods: [
        aPod("blue-5f7d", {
          phase: "Pending",
          containerStatuses: [aContainerStatus({ state: { waiting: { reason: "ImagePullBackOff" } } })],
        }),
      ],
    },
    cause: "ImageNotAvailable",
    state: "stuck",
    says: "cannot pull image example.com/kube-apiserver:v1.36.3",
  },
  {
    name: "a pod of the control plane is starting",
    facts: {
      pods: [
        aPod("blue-5f7d", {
          phase: "Pending",
          containerStatuses: [aContainerStatus({ state: { waiting: { reason: "ContainerCreating" } } })],
        }),
      ],
    },
    cause: "Provisioning",
    state: "busy",
    says: "blue is progressing (Provisioning)",
  },
  {
    name: "a pod was evicted",
    facts: { pods: [aPod("blue-5f7d", { phase: "Failed", reason: "Evicted", message: "The node was low on memory" })] },
    cause: "PodFailed",
    state: "stuck",
    says: "Evicted: The node was low on memory",
  },
  {
    name: "Kubernetes rejects the pods",
    facts: { warnings: [aWarning({ message: "pods is forbidden: exceeded quota: compute", count: 9 })] },
    cause: "PodsRefused",
    state: "stuck",
    says: "exceeded quota: compute",
    ends: /^ReplicaSet blue-7d9f: FailedCreate, 9 times/,
  },
  {
    name: "the control plane has no address",
    facts: {
      tenantControlPlane: aTenantControlPlane([
        "EndpointReady=False WaitingForLoadBalancer the Service has no address yet",
      ]),
    },
    cause: "WaitingForLoadBalancer",
    state: "stuck",
    says: "has no address: the Service has no address yet",
  },
  {
    name: "the control plane failed",
    facts: {
      controlPlane: aControlPlane({ failureReason: "HostnameTaken", failureMessage: "another cluster has that name" }),
    },
    cause: "HostnameTaken",
    state: "stuck",
    says: "another cluster has that name",
  },
  {
    name: "the control plane cannot be scheduled",
    facts: {
      controlPlane: aControlPlane(),
      tenantControlPlane: aTenantControlPlane([]),
      pods: [
        aPod("blue-5f7d", {
          phase: "Pending",
          conditions: [
            {
              type: "PodScheduled",
              status: "False",
              reason: "Unschedulable",
              message: "0/1 nodes are available: 1 Insufficient memory.",
            },
          ],
        }),
      ],
    },
    cause: "PodUnschedulable",
    state: "stuck",
    says: "1 Insufficient memory",
    ends: /^Pod blue-0a1b2c3d\/blue-5f7d: Pending, PodUnschedulable/,
  },
];

describe("why a control plane is not ready", () => {
  itExplains(situations);
});
