import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { allResources, effectiveLimits, effectiveRole, Team, TenantCluster } from "@butler/api";
import { ensureTools } from "@butler/engine";
import { type DynamicObject, keyOf, type KubeObject, parseObject, type Resource } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { badManifests } from "./bad-manifests/index.ts";

const run = promisify(execFile);
const folder = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let cluster: TestCluster;
let kubectlPath: string;

beforeAll(async () => {
  cluster = await aTestCluster();
  kubectlPath = (await ensureTools(["kubectl"])).kubectl;
  // The files that users install, not the objects they were generated from.
  await kubectl("apply", "--server-side", "-f", folder("deploy/crds"));
  const files = await readdir(folder("deploy/crds"));
  await kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd", "--all");
  expect(files).toHaveLength(allResources.length);
  for (const namespace of ["butler-system", "platform-engineering"]) await cluster.createNamespace(namespace);
});
afterAll(() => cluster?.stop());

async function kubectl(...args: string[]): Promise<string> {
  const { stdout } = await run(kubectlPath, ["--kubeconfig", cluster.controlPlane.kubeconfigPath, ...args]);
  return stdout;
}

function resourceOf(manifest: { apiVersion: string; kind: string }): Resource {
  const found = allResources.find(
    ({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind,
  );
  return found ?? expect.fail(`${manifest.apiVersion} ${manifest.kind} is not one of our kinds`);
}

/** Creates every namespace that a manifest names but the cluster lacks. */
async function ensureNamespace(manifest: KubeObject): Promise<void> {
  const { namespace } = manifest.metadata;
  if (namespace !== undefined) await cluster.createNamespace(namespace).catch(() => undefined);
}

describe("the generated CRDs on a real API server", () => {
  it("are complete: 27 kinds in four groups", () => {
    const groups = Map.groupBy(allResources, ({ group }) => group);
    expect(Object.fromEntries([...groups].map(([group, kinds]) => [group, kinds.length]))).toEqual({
      "butler.butlerlabs.dev": 19,
      "steward.butlerlabs.dev": 3,
      "controlplane.cluster.x-k8s.io": 2,
      "infrastructure.cluster.x-k8s.io": 3,
    });
  });

  it.each(allResources.map((resource) => [resource.kind, resource] as const))(
    "%s: the example applies, with the same defaults in the API server and in our code",
    async (_kind, resource) => {
      const manifest = resource.example as unknown as KubeObject;
      await ensureNamespace(manifest);
      const created = await cluster.client.create(resource, manifest, { fieldValidation: "Strict", dryRun: true });
      const ours = parseObject(resource, manifest) as { spec: unknown };
      expect(
        deepEqual((created as { spec?: unknown }).spec, ours.spec),
        JSON.stringify([(created as { spec?: unknown }).spec, ours.spec]),
      ).toBe(true);
    },
  );

  it("provide field descriptions for kubectl explain", async () => {
    const text = await kubectl("explain", "tenantclusters.spec.networking.podCIDR");
    expect(text).toContain("podCIDR <string>");
    expect(text).not.toContain("<empty>");
  });

  it("provide columns and short names", async () => {
    const manifest = { ...Team.example, metadata: { name: "columns" } } as unknown as KubeObject;
    await cluster.client.create(Team, manifest);
    expect(await kubectl("get", "tm")).toMatch(/NAME\s+DISPLAY NAME\s+PHASE\s+NAMESPACE\s+CLUSTERS\s+QUOTA\s+AGE/);
  });
});

describe("manifests written for the public Butler", () => {
  it("apply unchanged, with kubectl's strict validation", async () => {
    const output = await kubectl(
      "apply",
      "--validate=strict",
      "-f",
      folder("examples/public-butler/platform-engineering.yaml"),
    );
    expect(output.trim().split("\n")).toHaveLength(4);
  });

  it("are supported: deprecated fields have the same effect as current ones", async () => {
    const text = await readFile(folder("examples/public-butler/platform-engineering.yaml"), "utf8");
    const manifests = parseAllDocuments(text).map((document) => document.toJS() as DynamicObject);
    const team = parseObject(
      Team,
      manifests.find(({ kind }) => kind === "Team"),
    );
    expect(team.spec.access.groups?.map(({ role }) => effectiveRole(role))).toEqual(["operator"]);
    expect(effectiveLimits(team.spec.resourceLimits ?? expect.fail("no limits"))).toMatchObject({
      maxCPUCores: "200",
      maxMemory: "1Ti",
    });
    const tenantCluster = parseObject(
      TenantCluster,
      manifests.find(({ kind }) => kind === "TenantCluster"),
    );
    expect(tenantCluster.spec.addons.cni?.provider).toBe("cilium");
    expect(tenantCluster.spec.networking.loadBalancerPool).toEqual({ start: "10.40.1.100", end: "10.40.1.150" });
  });
});

describe(`${badManifests.length} bad manifests`, () => {
  it("are at least 100, with unique names", () => {
    expect(badManifests.length).toBeGreaterThanOrEqual(100);
    expect(new Set(badManifests.map(({ name }) => name)).size).toBe(badManifests.length);
  });

  it.each(badManifests.map((row) => [row.name, row] as const))(
    "%s",
    async (_name, { manifest, before, expect: message }) => {
      const object = manifest as unknown as KubeObject;
      const resource = resourceOf(object);
      await ensureNamespace(object);
      const options = { fieldValidation: "Strict", dryRun: true } as const;
      if (before === undefined) {
        await expect(cluster.client.create(resource, object, options)).rejects.toThrow(message);
        return;
      }
      const present = await cluster.client.create(resource, before as unknown as KubeObject);
      try {
        const { resourceVersion } = present.metadata;
        const next = { ...object, metadata: { ...object.metadata, resourceVersion } };
        await expect(cluster.client.replace(resource, next, options)).rejects.toThrow(message);
      } finally {
        await cluster.client.delete(resource, keyOf(present));
      }
    },
  );
});
