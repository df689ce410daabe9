import { StewardControlPlane, StewardControlPlaneTemplate, TenantControlPlane } from "@butler/api";
import { Cluster } from "@butler/api-external";
import { ensureTools } from "@butler/engine";
import { builtinKinds, findCondition, type Kind, type KubeObject } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import { allow, connectAsController, eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { clusterApiAccess, stewardControlPlaneController } from "./index.ts";
import { base64, endpoint } from "./testing/objects.ts";
import { PlayedSteward } from "./testing/played-steward.ts";
import { runProvider } from "./testing/run-provider.ts";
import { installStandInCrds, KubevirtCluster, ProxmoxCluster } from "./testing/stand-in-crds.ts";
import { Tenant } from "./testing/tenant.ts";

let cluster: TestCluster;
let kubectlPath = "";
let namespaces = 0;

beforeAll(async () => {
  kubectlPath = (await ensureTools(["kubectl"])).kubectl;
  const resources = [StewardControlPlane, StewardControlPlaneTemplate, TenantControlPlane];
  cluster = await aTestCluster({ resources });
  await installStandInCrds(cluster.client);
});
afterAll(() => cluster?.stop());

// Leftovers of one test would be reconciled in the next.
afterEach(async () => {
  for (const kind of [StewardControlPlane, TenantControlPlane]) {
    for (const { metadata } of (await cluster.client.list(kind)).items) {
      await cluster.client.patch(kind, metadata, { type: "merge", patch: { metadata: { finalizers: null } } });
      await cluster.client.delete(kind, metadata).catch(ignoreNotFound);
    }
  }
});

async function kubectl(...words: readonly string[]): Promise<string> {
  const run = promisify(execFile);
  return (await run(kubectlPath, ["--kubeconfig", cluster.controlPlane.kubeconfigPath, ...words])).stdout.trim();
}

/** A separate namespace with helpers to observe it and to simulate the other parties. */
async function freshTenant() {
  const namespace = `tenant-${++namespaces}`;
  await cluster.createNamespace(namespace);
  const { client } = cluster;
  const tenant = new Tenant(client, namespace);
  const controlPlane = (name = "blue") => client.get(StewardControlPlane, tenant.key(name));
  return {
    namespace,
    tenant,
    controlPlane,
    steward: new PlayedSteward(client, namespace),
    hosted: (name = "blue") => client.find(TenantControlPlane, tenant.key(name)),
    secret: (name: string) => client.find(builtinKinds.Secret, tenant.key(name)),
    /** Waits until a condition has a reason, and returns the control plane. */
    controlPlaneWith: (type: string, reason: string, name = "blue") =>
      eventually(
        async () => {
          const found = await controlPlane(name);
          return findCondition(found.status?.conditions, type)?.reason === reason && found;
        },
        { timeoutMs: 10_000, what: `${type} with the reason ${reason}` },
      ),
    patch: (kind: Kind, name: string, patch: unknown) => client.patch(kind, tenant.key(name), { type: "merge", patch }),
    isGone: (kind: Kind, name: string) =>
      eventually(async () => (await client.find(kind, tenant.key(name))) === undefined, { what: `the end of ${name}` }),
  };
}

async function withProvider(run: () => Promise<void>): Promise<void> {
  const provider = await runProvider(cluster.client);
  try {
    await run();
  } finally {
    await provider.stop();
  }
}

const dataOf = (secret: KubeObject | undefined) =>
  (secret as { data?: Record<string, string> } | undefined)?.data ?? {};

describe("a control plane on a real API server", () => {
  it("is created step by step, and deleted without leftovers", async () => {
    const { tenant, steward, controlPlane, controlPlaneWith, hosted, secret, isGone, patch } = await freshTenant();
    await withProvider(async () => {
      await tenant.createCluster({ spec: { clusterNetwork: { apiServerPort: 64443 } } });
      await tenant.createControlPlane({ spec: { version: "1.36.3", network: { serviceType: "ClusterIP" } } });
      await controlPlaneWith("Ready", "WaitingForCluster");
      expect(await hosted()).toBeUndefined();

      await tenant.adopt();
      await controlPlaneWith("Ready", "WaitingForAddress");
      const made = await hosted();
      expect(made?.metadata.ownerReferences).toEqual([
        expect.objectContaining({ kind: "StewardControlPlane", name: "blue", controller: true }),
      ]);
      expect(made?.spec.kubernetes.version).toBe("v1.36.3");
      expect(made?.spec.networkProfile).toMatchObject({ port: 64443, dnsServiceIPs: ["10.96.0.10"] });

      await steward.issue("blue");
      const exported = await eventually(() => secret("blue-kubeconfig"));
      expect(exported).toMatchObject({
        type: "cluster.x-k8s.io/secret",
        data: { value: base64("kubeconfig 1") },
        metadata: { labels: { "cluster.x-k8s.io/cluster-name": "blue" } },
      });
      expect((await controlPlane()).spec.controlPlaneEndpoint).toBeUndefined();

      await steward.serve("blue");
      const ready = await controlPlaneWith("Ready", "Available");
      expect(ready.spec.controlPlaneEndpoint).toEqual(endpoint);
      expect(ready.status).toMatchObject({
        initialization: { controlPlaneInitialized: true },
        initialized: true,
        ready: true,
        replicas: 2,
        availableReplicas: 2,
        upToDateReplicas: 2,
        version: "v1.36.3",
        versions: [{ version: "v1.36.3", replicas: 2 }],
        externalManagedControlPlane: true,
      });
      // Repeated applies would increase the object's version.
      const { resourceVersion } = (await hosted())?.metadata ?? {};
      await patch(Cluster, "blue", { metadata: { labels: { touched: "yes" } } });
      await controlPlaneWith("Ready", "Available");
      expect((await hosted())?.metadata.resourceVersion).toBe(resourceVersion);

      await cluster.client.delete(StewardControlPlane, tenant.key("blue"));
      await isGone(StewardControlPlane, "blue");
      await isGone(TenantControlPlane, "blue");
      await isGone(builtinKinds.Secret, "blue-kubeconfig");
    });
  });

  it("propagates rotated Secrets, and never copies the CA key to a second Secret", async () => {
    const { tenant, steward, controlPlaneWith, secret } = await freshTenant();
    await withProvider(async () => {
      await tenant.createAll({}, { name: "green" });
      await controlPlaneWith("Ready", "WaitingForAddress");
      await steward.issue("blue");
      await steward.serve("blue");
      await controlPlaneWith("Ready", "Available");
      const authority = await secret("green-ca");
      expect(authority).toMatchObject({
        type: "cluster.x-k8s.io/secret",
        data: { "tls.crt": base64("certificate 1") },
      });
      expect(dataOf(authority)["tls.key"]).not.toBe(base64("secret key"));
      expect(dataOf(authority)["tls.key"]).not.toBe("");

      await steward.issue("blue", { kubeconfig: "kubeconfig 2", certificate: "certificate 2" });
      await eventually(async () => dataOf(await secret("green-kubeconfig"))["value"] === base64("kubeconfig 2"));
      await eventually(async () => dataOf(await secret("green-ca"))["tls.crt"] === base64("certificate 2"));

      await cluster.client.delete(builtinKinds.Secret, tenant.key("green-kubeconfig"));
      await eventually(() => secret("green-kubeconfig"), { what: "a Secret in place of the deleted one" });
    });
  });

  it("is scaled by kubectl, and reports its pod selector", async () => {
    const { tenant, steward, controlPlaneWith, hosted, namespace } = await freshTenant();
    await withProvider(async () => {
      await tenant.createAll();
      await controlPlaneWith("Ready", "WaitingForAddress");
      await steward.issue("blue");
      await steward.serve("blue");
      await controlPlaneWith("Ready", "Available");

      await kubectl("-n", namespace, "scale", "stewardcontrolplane/blue", "--replicas=3");
      await eventually(async () => (await hosted())?.spec.controlPlane.deployment.replicas === 3);
      await controlPlaneWith("ScalingUp", "ScalingUp");
      await steward.serve("blue");
      await controlPlaneWith("ScalingUp", "NotScalingUp");
      const path = `/apis/controlplane.cluster.x-k8s.io/v1alpha1/namespaces/${namespace}/stewardcontrolplanes/blue/scale`;
      expect(JSON.parse(await kubectl("get", "--raw", path))).toMatchObject({
        spec: { replicas: 3 },
        status: { replicas: 3, selector: "steward.butlerlabs.dev/name=blue" },
      });
    });
  });

  it("is not reconciled while it or its Cluster is paused", async () => {
    const { tenant, controlPlane, controlPlaneWith, hosted, patch, isGone } = await freshTenant();
    await withProvider(async () => {
      await tenant.createAll({}, { spec: { paused: true } });
      await controlPlaneWith("Paused", "Paused");
      expect((await controlPlane()).metadata.finalizers).toBeUndefined();
      expect(await hosted()).toBeUndefined();
      await patch(Cluster, "blue", { spec: { paused: false } });
      await controlPlaneWith("Paused", "NotPaused");
      await eventually(() => hosted());

      await patch(StewardControlPlane, "blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": "" } } });
      await controlPlaneWith("Paused", "Paused");
      await cluster.client.delete(StewardControlPlane, tenant.key("blue"));
      await patch(StewardControlPlane, "blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": "still" } } });
      expect(await hosted()).toBeDefined();
      await patch(StewardControlPlane, "blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } });
      await isGone(StewardControlPlane, "blue");
      expect(await hosted()).toBeUndefined();
    });
  });

  it("adopts neither TenantControlPlanes nor Secrets of others, and continues once they are deleted", async () => {
    const { tenant, namespace, steward, controlPlaneWith, hosted, secret } = await freshTenant();
    const metadata = { name: "blue", namespace };
    const byHand = { ...TenantControlPlane.example, metadata } as unknown as KubeObject;
    await cluster.client.create(TenantControlPlane, byHand);
    const secretByHand = { apiVersion: "v1", kind: "Secret", metadata: { name: "blue-kubeconfig", namespace } };
    await cluster.client.create(builtinKinds.Secret, { ...secretByHand, data: { mine: base64("x") } } as KubeObject);
    await withProvider(async () => {
      await tenant.createAll({ spec: { replicas: 5 } });
      await controlPlaneWith("Ready", "TenantControlPlaneNameTaken");
      expect((await hosted())?.spec.controlPlane.deployment.replicas).toBe(2);
      await cluster.client.delete(TenantControlPlane, tenant.key("blue"));
      await controlPlaneWith("Ready", "WaitingForAddress");
      expect((await hosted())?.spec.controlPlane.deployment.replicas).toBe(5);

      await steward.issue("blue");
      await steward.serve("blue");
      await controlPlaneWith("CertificatesAvailable", "SecretNameTaken");
      expect(dataOf(await secret("blue-kubeconfig"))).toEqual({ mine: base64("x") });
    });
  });

  it("is deleted although its TenantControlPlane was deleted manually before", async () => {
    const { tenant, hosted, isGone } = await freshTenant();
    await tenant.createAll();
    await withProvider(async () => {
      await eventually(() => hosted());
    });
    await cluster.client.delete(TenantControlPlane, tenant.key("blue"));
    await cluster.client.delete(StewardControlPlane, tenant.key("blue"));
    await withProvider(() => isGone(StewardControlPlane, "blue").then(() => undefined));
    expect(await hosted()).toBeUndefined();
  });

  it.each<[string, Kind, Record<string, string>]>([
    ["waits for it", ProxmoxCluster, {}],
    ["is managed by Steward", KubevirtCluster, { "cluster.x-k8s.io/managed-by": "steward" }],
  ])("sets the endpoint on infrastructure that %s", async (_what, kind, annotations) => {
    const { tenant, namespace, steward, controlPlaneWith } = await freshTenant();
    const infrastructureRef = { apiGroup: kind.group, kind: kind.kind, name: "blue" };
    const apiVersion = `${kind.group}/${kind.version}`;
    const object = {
      apiVersion,
      kind: kind.kind,
      metadata: { name: "blue", namespace, annotations },
      spec: { kept: 1 },
    };
    await cluster.client.create(kind, object);
    await withProvider(async () => {
      await tenant.createAll({}, { spec: { infrastructureRef } });
      await controlPlaneWith("InfrastructureClusterPatched", "WaitingForEndpoint");
      await steward.issue("blue");
      await steward.serve("blue");
      await controlPlaneWith("InfrastructureClusterPatched", "Patched");
      const infrastructure = await cluster.client.get(kind, tenant.key("blue"));
      expect(infrastructure["spec"]).toEqual({ kept: 1, controlPlaneEndpoint: endpoint });
      const status = { ready: true, initialization: { provisioned: true } };
      expect(infrastructure["status"]).toEqual(kind === KubevirtCluster ? status : undefined);
    });
  });

  it("reports an unknown infrastructure kind, and still works", async () => {
    const { tenant, steward, controlPlaneWith } = await freshTenant();
    const infrastructureRef = { apiGroup: "example.com", kind: "MoonCluster", name: "blue" };
    await withProvider(async () => {
      await tenant.createAll({}, { spec: { infrastructureRef } });
      await controlPlaneWith("InfrastructureClusterPatched", "UnsupportedInfrastructure");
      await steward.issue("blue");
      await steward.serve("blue");
      await controlPlaneWith("Ready", "Available");
    });
  });

  it("reports why the API server rejects its TenantControlPlane", async () => {
    const { tenant, controlPlane, controlPlaneWith } = await freshTenant();
    await withProvider(async () => {
      await tenant.createAll({}, { spec: { clusterNetwork: { serviceDomain: "dotless" } } });
      await controlPlaneWith("Ready", "ApplyFailed");
      const { message } = findCondition((await controlPlane()).status?.conditions, "Ready") ?? {};
      expect(message).toContain("spec.networkProfile.clusterDomain");
    });
  });
});

describe("permissions", () => {
  it("of the provider suffice for the lifecycle of a control plane, and for nothing else", async () => {
    const { tenant, namespace, steward, controlPlaneWith, isGone } = await freshTenant();
    const limited = await connectAsController(cluster, "provider", [stewardControlPlaneController]);
    const provider = await runProvider(limited.client);
    try {
      const infrastructureRef = { apiGroup: ProxmoxCluster.group, kind: "ProxmoxCluster", name: "blue" };
      const metadata = { name: "blue", namespace };
      const apiVersion = `${ProxmoxCluster.group}/${ProxmoxCluster.version}`;
      await cluster.client.create(ProxmoxCluster, { apiVersion, kind: "ProxmoxCluster", metadata });
      await tenant.createAll({}, { name: "green", spec: { infrastructureRef } });
      await controlPlaneWith("Ready", "WaitingForAddress");
      await steward.issue("blue");
      await steward.serve("blue");
      await controlPlaneWith("InfrastructureClusterPatched", "Patched");
      await cluster.client.delete(StewardControlPlane, tenant.key("blue"));
      await isGone(StewardControlPlane, "blue");
      await expect(limited.client.delete(Cluster, tenant.key("green"))).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(limited.client.list(builtinKinds.ConfigMap)).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(limited.client.delete(ProxmoxCluster, tenant.key("blue"))).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    } finally {
      await provider.stop();
      await limited.close();
    }
  });

  it("of Cluster API's own controllers are those of its contract", async () => {
    for (const object of clusterApiAccess) {
      await cluster.client.create(
        object.kind === "ClusterRole" ? builtinKinds.ClusterRole : builtinKinds.ClusterRoleBinding,
        object,
      );
    }
    await allow(cluster, "core", "steward-cluster-api-manager");
    const bootstrap = "system:serviceaccount:capi-kubeadm-bootstrap-system:capi-kubeadm-bootstrap-manager";
    const resource = "stewardcontrolplanes.controlplane.cluster.x-k8s.io";
    const may = (verb: string, user: string, of = resource) =>
      kubectl("auth", "can-i", verb, of, "--as", user).catch(({ stdout }: { stdout: string }) => stdout.trim());
    for (const verb of ["get", "list", "watch", "create", "patch", "update", "delete"]) {
      expect(await may(verb, "core")).toBe("yes");
    }
    expect(await Promise.all(["get", "list", "watch"].map((verb) => may(verb, bootstrap)))).toEqual([
      "yes",
      "yes",
      "yes",
    ]);
    expect(await may("patch", bootstrap)).toBe("no");
    const templates = "stewardcontrolplanetemplates.controlplane.cluster.x-k8s.io";
    expect([await may("patch", "core", templates), await may("delete", "core", templates)]).toEqual(["yes", "no"]);
  });
});
