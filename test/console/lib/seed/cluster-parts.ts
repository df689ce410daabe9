import { readFile } from "node:fs/promises";
import { TenantAddon } from "@butler/api";
import { createAuthority, issueCertificate } from "@butler/pki";
import { builtinKinds } from "@butler/resource";
import { newObject, type WholeServer } from "@butler/server/testing";
import { insideOf } from "./clusters.ts";
import { ago, spans } from "./people.ts";
import { hostile, hostileSentence, longestName } from "./texts.ts";

const { Event, Namespace, Node, Secret } = builtinKinds;
const { minute, day } = spans;

/** The clusters that tests open, with their teams. */
const shown = [
  { team: "payments", name: "shop" },
  { team: "oddities", name: longestName },
] as const;

/** Seeds the opened clusters with add-ons, nodes, events, certificates and a kubeconfig. */
export async function seedClusterParts(whole: WholeServer): Promise<void> {
  await seedNodes(whole);
  for (const each of shown) {
    await whole.cluster.client.create(Namespace, newObject(Namespace, { name: insideOf(each.name) }, {}));
    await seedAddons(whole, each);
    await seedEvents(whole, each);
    await seedSecrets(whole, each);
  }
}

type Shown = (typeof shown)[number];

/** The test cluster stands in for every tenant, so all tenants share its nodes. */
async function seedNodes({ cluster: { client } }: WholeServer): Promise<void> {
  for (const at of [1, 2, 3]) {
    const name = at === 3 ? `shop-workers-${"n".repeat(40)}` : `shop-workers-${at}`;
    await client.create(Node, newObject(Node, { name }, {}));
    const status = {
      capacity: { cpu: "4", memory: "16Gi", pods: "110" },
      addresses: [{ type: "InternalIP", address: `10.40.1.${30 + at}` }],
      conditions: [{ type: "Ready", status: at === 3 ? "False" : "True", reason: "Kubelet", message: "" }],
      nodeInfo: {
        kubeletVersion: "v1.34.1",
        osImage: at === 3 ? hostile.markup : "Rocky Linux 9.5",
        containerRuntimeVersion: "containerd://2.1.4",
        kernelVersion: "5.14",
        machineID: "",
        systemUUID: "",
        bootID: "",
        kubeProxyVersion: "",
        operatingSystem: "linux",
        architecture: "amd64",
      },
    };
    await client.patch(Node, { name }, { type: "merge", subresource: "status", patch: { status } });
  }
}

async function seedAddons({ cluster: { client } }: WholeServer, { team, name: cluster }: Shown): Promise<void> {
  const own = [
    ["cert-manager", "v1.16.2", "Installed", ""],
    ["longhorn", "1.9.1", "Degraded", "the pod instance-manager-2 does not start: no space left on device"],
    ["prometheus-operator", "75.6.0", "Installing", "14 of 17 objects are ready"],
    ["velero", "9.1.2", "Failed", "the chart cannot be fetched: the repository answers 503"],
  ] as const;
  for (const [addon, version, phase, ordinary] of own) {
    const name = `${cluster}-${addon}`.slice(0, 63).replace(/-+$/, "") + (cluster === longestName ? addon.length : "");
    const spec = { clusterRef: { name: cluster }, addon, version, values: { replicaCount: 2, note: hostile.markup } };
    await client.create(TenantAddon, newObject(TenantAddon, { name, namespace: team }, { spec }));
    const message = team === "oddities" && ordinary !== "" ? hostileSentence : ordinary;
    const isIn = phase === "Installed" || phase === "Degraded";
    const status = {
      phase,
      message,
      ...(isIn && { installedVersion: version, helmRelease: { name: addon, namespace: addon, revision: 3, version } }),
      ...(phase === "Installing" && {
        resources: {
          total: 17,
          ready: 14,
          waiting: [{ kind: "Deployment", namespace: "monitoring", name: "grafana", state: "progressing", message }],
        },
      }),
      conditions: [
        { type: "Ready", status: isIn ? "True" : "False", reason: phase, message, lastTransitionTime: ago(minute) },
      ],
    };
    await client.patch(
      TenantAddon,
      { name, namespace: team },
      { type: "merge", subresource: "status", patch: { status } },
    );
  }
}

async function seedEvents({ cluster: { client } }: WholeServer, { team, name }: Shown): Promise<void> {
  const said = [
    ["Normal", "ControlPlaneReady", "the control plane answers at https://10.40.1.24:6443"],
    ["Normal", "MachineJoined", "the machine shop-workers-1 has joined"],
    ["Warning", "AddonNotReady", team === "oddities" ? hostileSentence : "longhorn waits for space on shop-workers-2"],
  ] as const;
  for (const [at, [type, reason, message]] of said.entries()) {
    const metadata = { name: `${name.slice(0, 40)}.${at}`, namespace: team };
    const about = { kind: "TenantCluster", apiVersion: "butler.butlerlabs.dev/v1alpha1", name, namespace: team };
    const body = {
      involvedObject: about,
      type,
      reason,
      message,
      count: at + 1,
      firstTimestamp: ago(30 * minute),
      lastTimestamp: ago((10 - at) * minute),
      source: { component: "butler-tenancy" },
    };
    await client.create(Event, newObject(Event, metadata, body));
  }
}

async function seedSecrets({ cluster: { client, controlPlane } }: WholeServer, { name }: Shown): Promise<void> {
  const namespace = insideOf(name);
  const encoded = (text: string): string => Buffer.from(text).toString("base64");
  const kubeconfig = await readFile(controlPlane.kubeconfigPath, "utf8");
  const key = { name: `${name}-kubeconfig`, namespace };
  await client.create(Secret, newObject(Secret, key, { data: { value: encoded(kubeconfig) } }));
  const authority = await createAuthority("kubernetes");
  const own = [
    ["api-server-certificate", "apiserver.crt", "kube-apiserver", 300 * day],
    [
      "api-server-kubelet-client-certificate",
      "apiserver-kubelet-client.crt",
      "kube-apiserver-kubelet-client",
      20 * day,
    ],
    ["front-proxy-client-certificate", "front-proxy-client.crt", "front-proxy-client", 4 * day],
  ] as const;
  const secrets: (readonly [string, string, string])[] = [["ca", "ca.crt", authority.cert]];
  for (const [secret, entry, commonName, lifetimeMs] of own) {
    const request = { commonName, usages: ["server", "client"], dnsNames: ["shop.k8s.example.com"] } as const;
    const { cert } = await issueCertificate(authority, request, { lifetimeMs });
    secrets.push([secret, entry, cert]);
  }
  for (const [secret, entry, cert] of secrets) {
    const labels = {
      "steward.butlerlabs.dev/project": "steward",
      "steward.butlerlabs.dev/name": name,
      "steward.butlerlabs.dev/component": secret,
    };
    const metadata = { name: `${name.slice(0, 30)}-${secret}`.replace("--", "-"), namespace, labels };
    await client.create(Secret, newObject(Secret, metadata, { data: { [entry]: encoded(cert) } }));
  }
}
