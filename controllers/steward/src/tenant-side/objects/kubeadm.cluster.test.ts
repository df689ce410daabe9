import { execFile } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";
import { listAll } from "@butler/kube";
import { builtinKinds, type DynamicObject, type KubeObject } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { catalog, objectId } from "../keeping/tenant-catalog.ts";
import { TenantSides } from "../keeping/tenant-sides.ts";
import { keptKindOf, keptKinds } from "../kinds.ts";
import { normalise, takeOut } from "../testing/normalise.ts";
import { aTenantInput } from "../testing/tenant-input.ts";
import { tenantObjects, type TenantObjectsInput } from "./tenant-objects.ts";

const run = promisify(execFile);
const version = "v1.36.3";

/** Additional content of kubeadm, with the reason. */
const onlyInKubeadm: readonly [string, string][] = [
  // The etcd of a hosted control plane is elsewhere, and nodes have no access to it.
  ["configmaps kube-system/kubeadm-config", "data.ClusterConfiguration.etcd"],
  // Steward issues the keys and certificates, so kubeadm's settings for them would be wrong.
  ["configmaps kube-system/kubeadm-config", "data.ClusterConfiguration.encryptionAlgorithm"],
  ["configmaps kube-system/kubeadm-config", "data.ClusterConfiguration.certificateValidityPeriod"],
  ["configmaps kube-system/kubeadm-config", "data.ClusterConfiguration.caCertificateValidityPeriod"],
  // Disabled is the default of kube-proxy.
  ["configmaps kube-system/kube-proxy", "data.config\\.conf.bindAddressHardFail"],
  ["configmaps kube-system/kube-proxy", "data.config\\.conf.enableProfiling"],
  ["configmaps kube-system/kube-proxy", "data.config\\.conf.conntrack"],
  ["configmaps kube-system/kube-proxy", "data.config\\.conf.iptables"],
  ["configmaps kube-system/kube-proxy", "data.config\\.conf.ipvs"],
  ["configmaps kube-system/kube-proxy", "data.config\\.conf.nftables"],
  ["configmaps kube-system/kube-proxy", "data.config\\.conf.winkernel"],
];

/** Additional content of Steward, with the reason. */
const onlyInOurs: readonly [string, string][] = [
  // A change of the configuration rolls the pods.
  ["daemonsets.apps kube-system/kube-proxy", "spec.template.metadata.annotations"],
];

/** kubeadm creates it with the admin kubeconfig, which is not among the phases that run here. */
const madeByUsAlone = ["clusterrolebindings.rbac.authorization.k8s.io kubeadm:cluster-admins"];

let cluster: TestCluster;
let folder: string;
let kubeadm: string;
const sides = new TenantSides();

beforeAll(async () => {
  ({ kubeadm } = await ensureTools(["kubeadm"]));
  folder = await mkdtemp(join(tmpdir(), "butler-kubeadm-"));
  cluster = await aTestCluster({
    withControllerManager: true,
    mine: {
      components: {
        "kube-apiserver": {
          extraArgs: {
            "allow-privileged": "true",
            "authentication-config": undefined,
            "anonymous-auth": "true",
            "enable-bootstrap-token-auth": "true",
          },
        },
        "kube-controller-manager": { extraArgs: { controllers: "*,bootstrapsigner,tokencleaner" } },
      },
    },
  });
});
afterAll(async () => {
  await sides.close();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

function input(change: Partial<TenantObjectsInput> = {}): TenantObjectsInput {
  const { hostname, port } = new URL(cluster.controlPlane.server);
  const { caPem } = cluster.controlPlane;
  return aTenantInput({ version, endpoint: { host: hostname, port: Number(port) }, caPem, ...change });
}

function keep(objects: readonly KubeObject[]): Promise<{ applied: number }> {
  const kubeconfig = JSON.stringify(cluster.controlPlane.kubeconfig);
  return sides.keep({ key: "blue", kubeconfig, objects }, AbortSignal.timeout(60_000));
}

/** What there is of the kinds that we keep, by id. */
async function snapshot(): Promise<Map<string, DynamicObject>> {
  const found = new Map<string, DynamicObject>();
  for (const kind of Object.values(keptKinds)) {
    for await (const object of listAll(cluster.client, kind)) found.set(objectId(kind, object.metadata), object);
  }
  return found;
}

/** Runs the phases of kubeadm whose work Steward does, with kubeadm's own folder for certificates: another would leak. */
async function runKubeadm(): Promise<void> {
  const { clusterName, clusterDomain, serviceCidr, podCidr } = input();
  const configuration = {
    apiVersion: "kubeadm.k8s.io/v1beta4",
    kind: "ClusterConfiguration",
    clusterName,
    kubernetesVersion: version,
    controlPlaneEndpoint: new URL(cluster.controlPlane.server).host,
    networking: { dnsDomain: clusterDomain, serviceSubnet: serviceCidr, podSubnet: podCidr },
  };
  const file = join(folder, "cluster.json");
  await writeFile(file, JSON.stringify(configuration));
  const settings = ["--config", file, "--kubeconfig", cluster.controlPlane.kubeconfigPath];
  for (const phase of [
    "upload-config all",
    "bootstrap-token --skip-token-print",
    "addon coredns",
    "addon kube-proxy",
  ]) {
    await run(kubeadm, ["init", "phase", ...phase.split(" "), ...settings]);
  }
}

/** An object without fields, such as a plain ServiceAccount, has no field manager. */
function isMadeByKubeadm(object: DynamicObject | undefined): boolean {
  const managers = (object?.metadata.managedFields ?? []) as readonly { readonly manager?: string }[];
  return managers.some(({ manager }) => manager === "kubeadm");
}

/** The object without the listed differences, each of which has to be one. */
function withoutDifferences(
  object: DynamicObject,
  [id, paths]: [string, readonly [string, string][]],
): Record<string, unknown> {
  const normal = structuredClone(normalise(object));
  for (const [, path] of paths.filter(([of]) => of === id)) {
    const names = path.split(/(?<!\\)\./).map((name) => name.replace("\\.", "."));
    expect(takeOut(normal, names), `${id} ${path} is no longer a difference`).toBeDefined();
  }
  return normal;
}

describe("the objects that Steward creates in a tenant", () => {
  it("match those of kubeadm's phases, except for listed differences", async () => {
    await runKubeadm();
    const kubeadms = await snapshot();
    const made = [...kubeadms.keys()].filter((id) => isMadeByKubeadm(kubeadms.get(id)) || catalog.has(id));
    const expected = [...catalog.keys()].filter((id) => !madeByUsAlone.includes(id));
    expect(made.toSorted()).toEqual(expected.toSorted());
    for (const id of made) {
      const object = kubeadms.get(id) as DynamicObject;
      await cluster.client.delete(keptKindOf(object), object.metadata);
    }

    const { applied } = await keep(tenantObjects(input({ coreDNS: {}, kubeProxy: {} })));
    expect(applied).toBe(catalog.size);

    const ours = await snapshot();
    for (const id of expected) {
      const [theirs, own] = [kubeadms.get(id), ours.get(id)] as [DynamicObject, DynamicObject];
      expect(withoutDifferences(own, [id, onlyInOurs]), id).toEqual(withoutDifferences(theirs, [id, onlyInKubeadm]));
    }
    expect(ours.get(madeByUsAlone[0] ?? "")).toMatchObject({
      roleRef: { name: "cluster-admin" },
      subjects: [{ kind: "Group", name: "kubeadm:cluster-admins" }],
    });
  });

  it.each([
    ["with CoreDNS and kube-proxy", { coreDNS: {}, kubeProxy: {} }],
    ["without them", {}],
  ])("let kubeadm join a node with only a bootstrap token, %s", async (_what, addons) => {
    const kubelet = { patches: [{ op: "add", path: "/maxPods", value: 64 }] } as const;
    await keep(tenantObjects(input({ ...addons, kubelet })));
    await makeToken();
    await eventually(
      async () => {
        const info = await cluster.client.get(builtinKinds.ConfigMap, {
          namespace: "kube-public",
          name: "cluster-info",
        });
        return (info["data"] as Record<string, string>)["jws-kubeconfig-abcdef"];
      },
      { what: "the signature of the token" },
    );
    const joined = await joinDryly();
    expect(joined.output).toContain("This node has joined the cluster");
    expect(parse(joined.kubeletConfiguration)).toMatchObject({
      maxPods: 64,
      clusterDNS: ["10.96.0.10"],
      authentication: { x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" } },
    });
    expect(joined.authority.trim()).toBe(cluster.controlPlane.caPem.trim());
  });
});

async function makeToken(): Promise<void> {
  const stringData = {
    "token-id": "abcdef",
    "token-secret": "0123456789abcdef",
    "usage-bootstrap-authentication": "true",
    "usage-bootstrap-signing": "true",
    "auth-extra-groups": "system:bootstrappers:kubeadm:default-node-token",
  };
  const metadata = { name: "bootstrap-token-abcdef", namespace: "kube-system" };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, type: "bootstrap.kubernetes.io/token", stringData };
  await cluster.client.apply(builtinKinds.Secret, secret, { fieldManager: "test" });
}

/** Everything that `kubeadm join` reads from the cluster and would write on the node, without doing it. */
async function joinDryly(): Promise<{ output: string; kubeletConfiguration: string; authority: string }> {
  const { caPem, server } = cluster.controlPlane;
  const key = new X509Certificate(caPem).publicKey.export({ type: "spki", format: "der" });
  const directory = await mkdtemp(join(folder, "join-"));
  const hash = `sha256:${createHash("sha256").update(key).digest("hex")}`;
  const discovery = ["--token", "abcdef.0123456789abcdef", "--discovery-token-ca-cert-hash", hash];
  const { stdout } = await run(
    kubeadm,
    ["join", new URL(server).host, ...discovery, "--dry-run", "--node-name", "n1", "--ignore-preflight-errors", "all"],
    { env: { ...process.env, KUBEADM_JOIN_DRYRUN_DIR: directory }, maxBuffer: 16 << 20 },
  );
  const [kubeletConfiguration, authority] = await Promise.all(
    ["config.yaml", "ca.crt"].map((name) => readFile(join(directory, name), "utf8")),
  );
  return { output: stdout, kubeletConfiguration: kubeletConfiguration ?? "", authority: authority ?? "" };
}
