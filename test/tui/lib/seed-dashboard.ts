import {
  DataStore,
  IPAllocation,
  ManagementAddon,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  TenantControlPlane,
} from "@butler/api";
import { builtinKinds } from "@butler/resource";
import type { TestCluster } from "@butler/testkit";
import { makeAudit, makeEvents } from "./seed-events.ts";
import { make } from "./make.ts";

const condition = (type: string, status: string, message: string) => ({
  type,
  status,
  reason: status === "True" ? "AsWanted" : "Waiting",
  message,
  lastTransitionTime: "2026-01-01T12:00:00Z",
});

const ready = [condition("Ready", "True", "ready")];
const notReady = (message: string) => [condition("Ready", "False", message)];

async function makeTeams(cluster: TestCluster): Promise<void> {
  const team = (name: string, spec: Record<string, unknown>, status: Record<string, unknown>) =>
    make(cluster, Team, {
      metadata: { name },
      spec,
      status: { phase: "Ready", namespace: name, conditions: ready, ...status },
    });
  await team(
    "payments",
    {
      displayName: "Payments",
      access: {
        users: [{ name: "ada@example.com", role: "admin" }],
        groups: [{ name: "developers", role: "operator" }],
      },
      resourceLimits: { maxClusters: 5, maxTotalNodes: 20, maxCPUCores: "64", maxMemory: "256Gi" },
      environments: [{ name: "dev" }, { name: "prod" }],
    },
    { memberCount: 2, resourceUsage: { clusters: 2, totalNodes: 5, totalCPU: "20", totalMemory: "40Gi" } },
  );
  await team(
    "search",
    { displayName: "Search and discovery", resourceLimits: { maxClusters: 2 } },
    {
      memberCount: 7,
      quotaStatus: "Warning",
      quotaMessage: "2 of 2 clusters are in use",
      resourceUsage: { clusters: 2, totalNodes: 4, totalCPU: "16", totalMemory: "32Gi" },
    },
  );
  await team("data", {}, { memberCount: 0, resourceUsage: { clusters: 0, totalNodes: 0 } });
}

async function makeClusters(cluster: TestCluster): Promise<void> {
  const tenant = (key: { name: string; namespace: string }, wanted: number, status: Record<string, unknown>) =>
    make(cluster, TenantCluster, {
      metadata: { ...key, labels: { "butler.butlerlabs.dev/environment": "dev" } },
      spec: {
        kubernetesVersion: "v1.35.2",
        teamRef: { name: key.namespace },
        providerConfigRef: { name: "local" },
        workers: { replicas: wanted, machineTemplate: { cpu: 4, memory: "8Gi", diskSize: "50Gi" } },
      },
      status: { observedGeneration: 1, workerNodesDesired: wanted, ...status },
    });
  await tenant({ name: "blue", namespace: "payments" }, 3, {
    phase: "Ready",
    workerNodesReady: 3,
    controlPlaneEndpoint: "10.40.1.100:6443",
    observedState: { kubernetesVersion: "v1.35.2" },
    pools: [{ name: "workers", desired: 3, ready: 3, upToDate: 3 }],
    conditions: [...ready, condition("ControlPlaneReady", "True", ""), condition("WorkersReady", "True", "")],
    steps: [
      { name: "ControlPlane", startedAt: "2026-01-01T12:00:00Z", finishedAt: "2026-01-01T12:00:42Z" },
      { name: "Workers", startedAt: "2026-01-01T12:00:42Z", finishedAt: "2026-01-01T12:03:05Z" },
    ],
  });
  await tenant({ name: "green", namespace: "payments" }, 2, {
    phase: "Provisioning",
    workerNodesReady: 1,
    conditions: notReady("1 of 2 worker nodes is ready"),
  });
  await tenant({ name: "indexer", namespace: "search" }, 4, {
    phase: "Failed",
    workerNodesReady: 0,
    conditions: [
      ...notReady("the machines cannot be made: the provider local has no room for 4 machines of 4 cores"),
      condition("InfrastructureReady", "False", "no room for 4 machines of 4 cores and 8Gi of memory each"),
      condition("ControlPlaneReady", "True", ""),
    ],
  });
  await tenant({ name: "suggestions-of-the-week", namespace: "search" }, 1, {
    phase: "Ready",
    workerNodesReady: 1,
    controlPlaneEndpoint: "10.40.1.101:6443",
    conditions: ready,
  });
}

async function makeControlPlanes(cluster: TestCluster): Promise<void> {
  const spec = {
    dataStore: "default",
    controlPlane: { deployment: { replicas: 2 }, service: { serviceType: "ClusterIP" } },
    kubernetes: { version: "v1.35.2", kubelet: {} },
  };
  const plane = (name: string, status: string, pods: number) =>
    make(cluster, TenantControlPlane, {
      metadata: { name, namespace: "butler-tenants" },
      spec,
      status: {
        conditions: status === "Ready" ? ready : notReady("0 of 2 pods are ready"),
        controlPlaneEndpoint: "10.40.1.100:6443",
        storage: { dataStoreName: "default" },
        kubernetesResources: { version: { version: "v1.35.2", status }, deployment: { readyReplicas: pods } },
      },
    });
  await plane("blue", "Ready", 2);
  await plane("indexer", "NotReady", 0);
  const secret = (keyPath: string) => ({ secretReference: { name: "etcd", namespace: "butler-system", keyPath } });
  await make(cluster, DataStore, {
    metadata: { name: "default" },
    spec: {
      driver: "etcd",
      endpoints: ["etcd-0:2379"],
      tlsConfig: {
        certificateAuthority: { certificate: secret("ca.crt"), privateKey: secret("ca.key") },
        clientCertificate: { certificate: secret("tls.crt"), privateKey: secret("tls.key") },
      },
    },
    status: {
      conditions: ready,
      databaseSize: "160Mi",
      quota: "8Gi",
      version: "3.6.5",
      usedBy: ["a/blue", "a/green"],
    },
  });
}

async function makeNetworks(cluster: TestCluster): Promise<void> {
  const namespace = "butler-system";
  const pool = (name: string, cidr: string, [total, free]: readonly [number, number]) =>
    make(cluster, NetworkPool, {
      metadata: { name, namespace },
      spec: { cidr },
      status: {
        totalIPs: total,
        availableIPs: free,
        allocatedIPs: total - free,
        quarantinedIPs: 0,
        largestFreeBlock: free,
        allocationCount: 1,
        conditions: ready,
      },
    });
  await pool("datacenter", "10.40.0.0/24", [254, 246]);
  await pool("laboratory", "10.41.0.0/28", [14, 1]);
  await make(cluster, IPAllocation, {
    metadata: { name: "blue-lb", namespace },
    spec: {
      poolRef: { name: "datacenter" },
      tenantClusterRef: { name: "blue", namespace: "payments" },
      type: "loadbalancer",
      count: 8,
    },
    status: { phase: "Allocated", startAddress: "10.40.0.8", endAddress: "10.40.0.15", cidr: "10.40.0.8/29" },
  });
}

async function makeAddons(cluster: TestCluster): Promise<void> {
  const addon = (name: string, phase: string, message: string) =>
    make(cluster, TenantAddon, {
      metadata: { name, namespace: "payments" },
      spec: { clusterRef: { name: "blue" }, addon: name.replace(/^blue-/, ""), version: "1.2.3" },
      status: { phase, installedVersion: phase === "Failed" ? undefined : "1.2.3", message, conditions: ready },
    });
  await addon("blue-cilium", "Installed", "");
  await addon("blue-ingress-nginx", "Failed", "the chart asks for a LoadBalancer, and there are no addresses left");
  await make(cluster, ManagementAddon, {
    metadata: { name: "cert-manager" },
    spec: { addon: "cert-manager" },
    status: { phase: "Installed", installedVersion: "v1.16.2", conditions: ready },
  });
}

async function makePlatform(cluster: TestCluster): Promise<void> {
  const namespace = "butler-system";
  await make(cluster, ProviderConfig, {
    metadata: { name: "local", namespace },
    spec: { provider: "local" },
    status: { ready: true, conditions: ready },
  });
  const container = { name: "main", image: "example.com/butler:1" };
  for (const [name, pods] of [
    ["butler-controllers", 2],
    ["butler-server", 1],
  ] as const) {
    const labels = { app: name };
    await make(cluster, builtinKinds.Deployment, {
      metadata: { name, namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
      status: { replicas: 2, readyReplicas: pods },
    });
  }
}

/** A platform with healthy and unhealthy objects. */
export async function seedDashboard(cluster: TestCluster): Promise<void> {
  for (const name of ["payments", "search", "butler-system", "butler-tenants"]) await cluster.createNamespace(name);
  await makeTeams(cluster);
  await makeClusters(cluster);
  await makeControlPlanes(cluster);
  await makeNetworks(cluster);
  await makeAddons(cluster);
  await makePlatform(cluster);
  await makeEvents(cluster);
  await makeAudit(cluster);
}
