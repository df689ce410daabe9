import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  AddonDefinition,
  ButlerConfig,
  ClusterCreationPolicy,
  IdentityProvider,
  IPAllocation,
  namespaces,
  NetworkPool,
  ProviderConfig,
} from "@butler/api";
import type { DynamicObject, Resource } from "@butler/resource";
import { newObject, type WholeServer } from "@butler/server/testing";
import { parse } from "yaml";
import { ago, spans } from "./people.ts";
import { hostile, hostileSentence, longestName } from "./texts.ts";

const namespace = namespaces.system;
const catalog = join(import.meta.dirname, "..", "..", "..", "..", "deploy", "catalog");

/** Creates the platform objects: catalog, providers, networks, policies, identity providers and settings. */
export async function seedPlatform(whole: WholeServer): Promise<void> {
  await seedCatalog(whole);
  await seedProviders(whole);
  await seedNetworks(whole);
  await seedRules(whole);
}

interface Seed {
  readonly name: string;
  readonly spec: object;
  readonly status?: object;
  readonly namespace?: string;
}

async function make({ cluster: { client } }: WholeServer, kind: Resource, seed: Seed): Promise<void> {
  const { name, spec, status } = seed;
  const key = seed.namespace === undefined ? { name } : { name, namespace: seed.namespace };
  await client.create(kind, newObject(kind, key, { spec }));
  if (status === undefined) return;
  await client.patch(kind, key, { type: "merge", subresource: "status", patch: { status } });
}

async function seedCatalog(whole: WholeServer): Promise<void> {
  const files = (await readdir(catalog)).filter((name) => name.endsWith(".yaml"));
  for (const file of files) {
    const entry = parse(await readFile(join(catalog, file), "utf8")) as DynamicObject;
    await whole.cluster.client.create(AddonDefinition, entry);
  }
  await make(whole, AddonDefinition, {
    name: "strange-addon",
    spec: {
      displayName: hostile.markup.slice(0, 64),
      description: hostileSentence.slice(0, 512),
      category: "other",
      icon: hostile.emoji.slice(0, 2),
      iconData: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="window.owned=1"/>`).toString("base64"),
      chart: { repository: "https://charts.example.com", name: hostile.long, defaultVersion: "1.0.0" },
      valuesSchema: {
        type: "object",
        properties: { note: { type: "string", title: hostile.markup, description: hostile.script } },
      },
      links: { documentation: hostile.link, homepage: "https://example.com" },
    },
  });
}

const condition = (type: string, status: "True" | "False", message = "") => ({
  type,
  status,
  reason: status === "True" ? "Checked" : "Refused",
  message,
  lastTransitionTime: ago(spans.hour),
});

async function seedProviders(whole: WholeServer): Promise<void> {
  const network = { mode: "ipam", poolRefs: [{ name: "datacenter" }], gateway: "10.40.0.1", dnsServers: ["10.40.0.2"] };
  await make(whole, ProviderConfig, {
    name: "harvester",
    namespace,
    spec: {
      provider: "harvester",
      credentialsRef: { name: "harvester-kubeconfig" },
      harvester: { networkName: "default/vlan40", imageName: "default/rocky-9.5" },
      network,
      limits: { maxClustersPerTeam: 30 },
    },
    status: {
      ready: true,
      validated: true,
      providerVersion: "v1.5.0",
      lastProbeTime: ago(40_000),
      capacity: { availableIPs: 3_412, estimatedTenants: 262 },
      conditions: [
        condition("CredentialsValid", "True"),
        condition("PoolAvailable", "True"),
        condition("Ready", "True"),
      ],
    },
  });
  const refusal = `the token is refused: 401 ${hostileSentence}`;
  await make(whole, ProviderConfig, {
    name: "proxmox-lab",
    namespace,
    spec: {
      provider: "proxmox",
      credentialsRef: { name: "proxmox-token" },
      proxmox: { endpoint: "https://proxmox.example.com:8006", nodes: ["pve1", "pve2"], storage: "local-lvm" },
    },
    status: {
      ready: false,
      validated: false,
      lastProbeTime: ago(spans.hour),
      conditions: [condition("CredentialsValid", "False", refusal), condition("Ready", "False", refusal)],
    },
  });
}

async function seedNetworks(whole: WholeServer): Promise<void> {
  const defaults = { nodesPerTenant: 5, lbPoolPerTenant: 8 };
  const reserved = [
    { cidr: "10.40.0.0/24", description: "Gateways and switches" },
    { cidr: "10.40.3.0/26", description: hostile.markup },
  ];
  await make(whole, NetworkPool, {
    name: "datacenter",
    namespace,
    spec: { cidr: "10.40.0.0/20", reserved, tenantAllocation: { start: "10.40.1.0", end: "10.40.7.255", defaults } },
    status: {
      totalIPs: 1_728,
      allocatedIPs: 132,
      quarantinedIPs: 8,
      availableIPs: 1_588,
      used: "9%",
      allocationCount: 18,
      fragmentationPercent: 12,
      largestFreeBlock: 1_024,
      poolSizeIPs: 4_096,
      reservedIPs: 320,
      conditions: [condition("Ready", "True")],
    },
  });
  await make(whole, NetworkPool, {
    name: "a-network-with-a-rather-long-name-in-the-second-hall",
    namespace,
    spec: { cidr: "10.99.0.0/26" },
    status: {
      totalIPs: 62,
      allocatedIPs: 60,
      availableIPs: 2,
      used: "97%",
      fragmentationPercent: 60,
      largestFreeBlock: 1,
      conditions: [condition("Ready", "True"), condition("CapacityCritical", "True", hostileSentence)],
    },
  });
  const clusters = ["shop", "checkout", "ledger", "fraud", "invoices", "refunds", "gateway", "wallet", longestName];
  for (const [at, name] of clusters.entries()) {
    for (const [type, size, from] of [
      ["nodes", 5, at * 16],
      ["loadbalancer", 8, at * 16 + 8],
    ] as const) {
      const first = `10.40.1.${from}`;
      const released = at === 5 && type === "loadbalancer";
      await make(whole, IPAllocation, {
        name: `${name}-${type === "nodes" ? "nodes" : "lb"}`.slice(0, 63),
        namespace,
        spec: {
          poolRef: { name: "datacenter" },
          tenantClusterRef: { name, namespace: name === longestName ? "oddities" : "payments" },
          type,
          count: size,
        },
        status: {
          phase: released ? "Released" : "Allocated",
          startAddress: first,
          endAddress: `10.40.1.${from + size - 1}`,
          addresses: Array.from({ length: size }, (_none, step) => `10.40.1.${from + step}`),
          allocatedCount: size,
          allocatedAt: ago(at * spans.day),
          ...(released && { releasedAt: ago(spans.minute), quarantineUntil: ago(-4 * spans.minute) }),
          conditions: [condition("Ready", "True")],
        },
      });
    }
  }
}

async function seedRules(whole: WholeServer): Promise<void> {
  await make(whole, ClusterCreationPolicy, {
    name: "payments-images",
    spec: ClusterCreationPolicy.example["spec"] as object,
    status: { conditions: [condition("Ready", "True")] },
  });
  await make(whole, ClusterCreationPolicy, {
    name: "strange-advice",
    spec: {
      scope: { teamAndEnvironment: { teamRef: { name: "oddities" }, environmentName: "lab" } },
      options: {
        image: { mode: "recommended", values: [hostile.long], recommendedReason: hostile.markup.slice(0, 120) },
      },
    },
    status: { staleReferences: [hostile.long], conditions: [condition("Ready", "False", hostileSentence)] },
  });
  await make(whole, IdentityProvider, {
    name: "strange-provider",
    spec: {
      type: "oidc",
      displayName: hostile.markup,
      oidc: {
        issuerURL: "https://login.invalid",
        clientID: hostile.script,
        clientSecretRef: { name: "nothing", namespace },
        redirectURL: "https://butler.example.com/api/auth/callback",
      },
    },
    status: { phase: "Failed", message: `the issuer does not answer ${hostileSentence}` },
  });
  await whole.cluster.client.patch(
    IdentityProvider,
    { name: "company" },
    { type: "merge", patch: { spec: { displayName: "Company account" } } },
  );
  const status = { phase: "Ready", lastValidatedTime: ago(spans.minute), conditions: [condition("Ready", "True")] };
  await whole.cluster.client.patch(
    IdentityProvider,
    { name: "company" },
    { type: "merge", subresource: "status", patch: { status } },
  );
  await make(whole, ButlerConfig, {
    name: "butler",
    spec: {
      multiTenancy: { mode: "Enforced" },
      defaultTeamLimits: { maxClusters: 10, maxWorkersPerCluster: 20, maxTotalCPU: "256", maxTotalMemory: "1Ti" },
      defaultProviderConfigRef: { name: "harvester" },
      audit: { webhookURL: "https://siem.example.com/events" },
    },
  });
}
