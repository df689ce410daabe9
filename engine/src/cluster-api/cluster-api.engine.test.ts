import { Conflict, Timeout } from "@butler/std";
import { canHostEngine, sharedEngine } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureTools } from "../ensure-tools.ts";
import { Kubectl } from "../node/kubectl.ts";
import type { LocalEngine } from "../node/local-engine.ts";
import { installClusterApi } from "./install.ts";
import { installClusterApiInEngine } from "./install-in-engine.ts";

const deployments = [
  ["capi-system", "capi-controller-manager"],
  ["capi-kubeadm-bootstrap-system", "capi-kubeadm-bootstrap-controller-manager"],
] as const;
const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LocalCluster", name: "good" };
const configurations = "crds,mutatingwebhookconfigurations,validatingwebhookconfigurations";
/** What a second installation must leave as it is. */
const lasting = `secrets,deployments,pods,${configurations}`;

const machineDeployment = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "MachineDeployment",
  metadata: { name: "workers", namespace: "default" },
  spec: {
    clusterName: "good",
    selector: { matchLabels: {} },
    template: {
      spec: {
        clusterName: "good",
        version: "v1.36.3",
        bootstrap: {
          configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfigTemplate", name: "good" },
        },
        infrastructureRef: { ...infrastructureRef, kind: "LocalMachineTemplate" },
      },
    },
  },
};

/** One kind of each manager. */
const convertible = [
  {
    apiVersion: "bootstrap.cluster.x-k8s.io/v1beta2",
    kind: "KubeadmConfig",
    metadata: { name: "old", namespace: "default" },
    spec: { format: "cloud-config" },
  },
  {
    apiVersion: "addons.cluster.x-k8s.io/v1beta2",
    kind: "ClusterResourceSet",
    metadata: { name: "old", namespace: "default" },
    spec: {
      clusterSelector: { matchLabels: { none: "none" } },
      resources: [{ kind: "ConfigMap", name: "none" }],
    },
  },
];

let program: string;
let engine: LocalEngine;
let kubectl: Kubectl;

function cluster(name: string, spec: object): object {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name, namespace: "default" },
    spec: { paused: true, infrastructureRef, ...spec },
  };
}

interface Caller {
  readonly clientConfig: { readonly caBundle?: string };
}

interface Listed {
  readonly items: readonly {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly uid: string; readonly generation?: number };
    readonly data?: object;
    readonly spec?: { readonly conversion?: { readonly webhook?: Caller } };
    readonly webhooks?: readonly Caller[];
  }[];
}

async function readLasting(): Promise<unknown> {
  const { items } = (await kubectl.get<Listed>(lasting, "--all-namespaces")) ?? { items: [] };
  return items.map(({ kind, metadata: { name, uid, generation }, data }) => ({ kind, name, uid, generation, data }));
}

describe.runIf(canHostEngine)("Cluster API in a local engine", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    program = (await ensureTools(["kubectl"])).kubectl;
    engine = await sharedEngine("bare");
    kubectl = new Kubectl({ program, kubeconfig: engine.paths.kubeconfig });
    await installClusterApiInEngine(engine);
  }, 180_000);
  afterAll(async () => {
    // The last test has configured images that do not exist.
    if (engine !== undefined) await installClusterApiInEngine(engine);
  }, 180_000);

  it.each(deployments)("has the manager %s/%s available", async (namespace, name) => {
    const deployment = await kubectl.get("deployment", name, "--namespace", namespace);
    expect(deployment).toMatchObject({
      status: { conditions: expect.arrayContaining([expect.objectContaining({ type: "Available", status: "True" })]) },
    });
    expect(JSON.stringify(deployment)).toContain("ReconcilerRateLimiting=false");
  });

  it("serves the Cluster API kinds", async () => {
    const kinds = await kubectl.run(["api-resources", "-o", "name"]);
    expect(kinds.split("\n")).toEqual(
      expect.arrayContaining(["clusters.cluster.x-k8s.io", "kubeadmconfigs.bootstrap.cluster.x-k8s.io"]),
    );
  });

  it("sets the CA bundle in every webhook", async () => {
    const { items } = (await kubectl.get<Listed>(configurations)) ?? { items: [] };
    const conversions = items.map(({ spec }) => spec?.conversion?.webhook).filter((caller) => caller !== undefined);
    const admissions = items.flatMap(({ webhooks = [] }) => webhooks);
    expect([conversions.length, admissions.length > 20]).toEqual([15, true]);
    const silent = [...conversions, ...admissions].filter(({ clientConfig }) => clientConfig.caBundle === undefined);
    expect(silent).toEqual([]);
  });

  it("runs Cluster API's validating webhook on requests that the schema allows", async () => {
    const bad = cluster("bad", { clusterNetwork: { pods: { cidrBlocks: ["not-a-range"] } } });
    await expect(kubectl.run(["create", "-f", "-"], [bad])).rejects.toThrow("invalid CIDR address: not-a-range");
  });

  it("accepts a valid Cluster", async () => {
    await kubectl.run(["create", "-f", "-"], [cluster("good", {})]);
    expect(await kubectl.get("clusters.cluster.x-k8s.io", "good")).toMatchObject({ spec: { paused: true } });
  });

  it("runs Cluster API's defaulting webhook", async () => {
    const printed = await kubectl.run(["create", "--dry-run=server", "-o", "json", "-f", "-"], [machineDeployment]);
    const label = { "cluster.x-k8s.io/cluster-name": "good" };
    expect(JSON.parse(printed)).toMatchObject({ spec: { replicas: 1, selector: { matchLabels: label } } });
  });

  it.each(convertible)("converts to an older version of $kind", async (manifest) => {
    const [group = ""] = manifest.apiVersion.split("/");
    await kubectl.run(["create", "-f", "-"], [manifest]);
    expect(await kubectl.get(`${manifest.kind}.v1beta1.${group}`, manifest.metadata.name)).toMatchObject({
      apiVersion: `${group}/v1beta1`,
    });
  });

  it("can be installed again without changes", async () => {
    const before = await readLasting();
    await installClusterApiInEngine(engine);
    expect(await readLasting()).toEqual(before);
  });

  it("repairs a damaged certificate", async () => {
    const [namespace] = deployments[0];
    const name = "capi-webhook-service-cert";
    const patch = JSON.stringify({ data: { "tls.crt": "", "tls.key": "" } });
    await kubectl.run(["patch", "secret", name, "--namespace", namespace, "--patch", patch]);
    await installClusterApiInEngine(engine);
    const secret = await kubectl.get<{ data: Record<string, string> }>("secret", name, "--namespace", namespace);
    expect(atob(secret?.data["tls.crt"] ?? "")).toContain("BEGIN CERTIFICATE");
  });

  it("refuses to take over another installation", async () => {
    const [namespace, name] = deployments[0];
    const label = ["label", "deployment", name, "--namespace", namespace, "--overwrite"];
    await kubectl.run([...label, "app.kubernetes.io/managed-by=other"]);
    await expect(installClusterApiInEngine(engine)).rejects.toThrow(Conflict);
    await kubectl.run([...label, "app.kubernetes.io/managed-by=butler"]);
  });

  it("reports pod errors when a manager does not start", async () => {
    const images = {
      "cluster-api-controller": "localhost:1/none:v0",
      "kubeadm-bootstrap-controller": "localhost:1/none:v0",
    };
    const { kubeconfig } = engine.paths;
    const installed = installClusterApi({ kubectl: program, kubeconfig, images, timeoutMs: 12_000 });
    const error = await installed.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Timeout);
    expect(String(error)).toMatch(/is not available\n- pod .*manager: (ErrImagePull|ImagePullBackOff)/);
  });
});
