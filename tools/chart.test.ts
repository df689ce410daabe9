import { cp, lstat, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allResources } from "@butler/api";
import { platformManifests, type PlatformInput } from "@butler/butler/deploy";
import { butlerRepository } from "@butler/engine";
import { buildCrd, type KubeObject } from "@butler/resource";
import { shortOrLong } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { chartFolder } from "./chart-files.ts";
import { productionFile } from "./chart-production.ts";
import { chartRoles } from "./chart-objects.ts";
import { byKey, helmOnChart, mergedValues, packChart, renderChart } from "./chart-rendered.ts";
import { chartValues, valueNameOf } from "./chart-values.ts";
import { repositoryRoot } from "./steps.ts";

const { version } = JSON.parse(await readFile(join(repositoryRoot, "package.json"), "utf8")) as { version: string };
const image = `${butlerRepository}:v${version}`;
const keep = { "helm.sh/resource-policy": "keep" };
const roles = chartRoles().map(({ role }) => role);
const everything = { localProvider: { enabled: true } };

function kept(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...keep } } };
}

/** The objects of an installation, and additional options for Helm. */
function expected(input: Partial<PlatformInput> = {}): Record<string, KubeObject> {
  const crds = allResources.map((resource) => kept(buildCrd(resource) as unknown as KubeObject));
  const objects = platformManifests({ image, ...input });
  return byKey([...crds, ...objects.map((object) => (object.kind === "Namespace" ? kept(object) : object))]);
}

function withoutPolicies(objects: Record<string, KubeObject>): Record<string, KubeObject> {
  return Object.fromEntries(Object.entries(objects).filter(([key]) => !key.startsWith("NetworkPolicy ")));
}

function policiesOf(objects: Record<string, KubeObject>): string[] {
  return Object.keys(objects).filter((key) => key.startsWith("NetworkPolicy "));
}

interface Pod {
  readonly containers: readonly [{ readonly args: readonly string[]; readonly [field: string]: unknown }];
  readonly [field: string]: unknown;
}

function podOf(objects: Record<string, KubeObject>, role: string, namespace = "butler-system"): Pod {
  const deployment = objects[`Deployment ${namespace}/butler-${role}`] ?? expect.fail(`no Deployment of ${role}`);
  return (deployment as unknown as { spec: { template: { spec: Pod } } }).spec.template.spec;
}

/** The same value for every role. */
function forRoles(values: object): object {
  return Object.fromEntries(roles.map((role) => [valueNameOf(role), values]));
}

// Concurrently, because each waits for helm.
describe.concurrent("the chart", () => {
  it("passes helm lint", async () => {
    expect(await helmOnChart("lint", { flags: ["--strict"] })).toContain("0 chart(s) failed");
  });

  it("renders exactly the objects that Butler installs, with its own values", async () => {
    expect(withoutPolicies(await renderChart())).toEqual(expected());
  });

  it.each<{ title: string; values: object; namespace?: string; input: Partial<PlatformInput> }>([
    { title: "the local provider", values: everything, input: { hasLocalProvider: true } },
    {
      title: "add-ons of the management cluster",
      values: { managementAddons: { enabled: true } },
      input: { hasManagementAddons: true },
    },
    { title: "another namespace", values: {}, namespace: "kaas", input: { namespace: "kaas" } },
    {
      title: "another image",
      values: { image: { repository: "registry.example:5000/mirror/butler", tag: "0123456789ab" } },
      input: { image: "registry.example:5000/mirror/butler:0123456789ab" },
    },
    {
      title: "an image by its digest",
      values: { image: { digest: `sha256:${"0".repeat(64)}` } },
      input: { image: `${butlerRepository}@sha256:${"0".repeat(64)}` },
    },
    ...[0, 2, 5].map((replicas) => ({
      title: `${replicas} processes of each role, with an election among several`,
      values: { ...forRoles({ replicas }), localProvider: { enabled: true, replicas } },
      input: { replicas, hasLocalProvider: true },
    })),
  ])("renders what Butler installs with $title", async ({ values, namespace, input }) => {
    const rendering = namespace === undefined ? { values } : { values, namespace };
    expect(withoutPolicies(await renderChart(rendering))).toEqual(expected(input));
  });

  it("grants a Lease to roles with several replicas, and to no other role", async () => {
    const objects = await renderChart({ values: { steward: { replicas: 2 } } });
    const ofOne = expected();
    const added = Object.keys(withoutPolicies(objects)).filter((key) => ofOne[key] === undefined);
    expect(added.sort()).toEqual(["Role butler-system/butler-steward", "RoleBinding butler-system/butler-steward"]);
    expect(podOf(objects, "steward").containers[0].args).toContain("--leader-election");
    expect(podOf(objects, "controller").containers[0].args).not.toContain("--leader-election");
  });

  it("contains the CRDs when it is packed, and is not installed without them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "butler-chart-test-"));
    try {
      const chart = await packChart(folder);
      expect(await renderChart({ chart })).toEqual(await renderChart());
      const copy = join(folder, "copy");
      await cp(join(repositoryRoot, chartFolder), copy, {
        recursive: true,
        filter: async (path) => !(await lstat(path)).isSymbolicLink(),
      });
      await expect(renderChart({ chart: copy })).rejects.toThrow("the chart has no files in files/crds");
      expect(await renderChart({ chart: copy, values: { crds: { install: false } } })).not.toEqual({});
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("omits CRDs, namespace and gateway on request", async () => {
    const values = { crds: { install: false }, namespace: { create: false }, sniGateway: { enabled: false } };
    const keys = Object.keys(await renderChart({ values }));
    const left = Object.keys(expected()).filter(
      (key) => !/^(CustomResourceDefinition |Namespace .*system$)/.test(key) && !key.endsWith("/butler-sni-gateway"),
    );
    expect(keys.filter((key) => !key.startsWith("NetworkPolicy ")).sort()).toEqual(left.sort());
  });

  it("applies scheduling values, resources and pull secrets to pods", async () => {
    const placement = {
      nodeSelector: { "node-role.kubernetes.io/infra": "true" },
      tolerations: [{ key: "infra", operator: "Exists", effect: "NoSchedule" }],
      priorityClassName: "system-cluster-critical",
      imagePullSecrets: [{ name: "mirror" }],
    };
    const resources = { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "2Gi" } };
    const values = { ...placement, ...forRoles({ resources }), image: { pullPolicy: "Always" } };
    const objects = await renderChart({ values: { ...values, localProvider: { enabled: true, resources } } });
    for (const role of roles) {
      const pod = podOf(objects, role);
      expect(pod).toMatchObject(placement);
      expect(pod.containers[0]).toMatchObject({ resources, imagePullPolicy: "Always" });
    }
  });

  it("passes values to the processes that use them", async () => {
    const objects = await renderChart({
      values: {
        logLevel: "debug",
        steward: {
          defaultDataStore: {
            name: "fast",
            members: 1,
            storage: { size: "2Gi", storageClassName: "ssd" },
            image: "registry.example/etcd:3",
            resources: { requests: { cpu: "1" } },
          },
          clusterDomain: "management.example",
        },
        sniGateway: {
          service: { type: "NodePort", port: 443, annotations: { "example.com/address": "192.0.2.1" } },
          extraArgs: ["--max-connections=5000"],
        },
        localProvider: { enabled: true, nodeImageRepository: "registry.example/node" },
      },
    });
    const argsOf = (role: string): readonly string[] => podOf(objects, role).containers[0].args;
    expect(argsOf("steward").slice(-10)).toEqual([
      "--provide-data-store=butler-system",
      "--default-data-store=fast",
      "--data-store-members=1",
      "--data-store-size=2Gi",
      "--data-store-storage-class=ssd",
      "--data-store-image=registry.example/etcd:3",
      '--data-store-resources={"requests":{"cpu":"1"}}',
      "--management-domain=management.example",
      "--sni-gateway-port=443",
      "--log-level=debug",
    ]);
    expect(argsOf("sni-gateway").slice(-2)).toEqual(["--max-connections=5000", "--log-level=debug"]);
    expect(argsOf("local-provider")).toContain("--node-image-repository=registry.example/node");
    for (const role of roles) expect(argsOf(role).at(-1)).toBe("--log-level=debug");
    expect(objects["Service butler-system/butler-sni-gateway"]).toMatchObject({
      metadata: { annotations: { "example.com/address": "192.0.2.1" } },
      spec: { type: "NodePort", ports: [{ port: 443, targetPort: "tls" }] },
    });
  });
});

describe.concurrent("the chart's values for production", () => {
  const installed = async () => {
    const file = await readFile(join(repositoryRoot, chartFolder, productionFile), "utf8");
    return renderChart({ values: parse(file) as object });
  };

  it("run two replicas of each role, spread across nodes, and let an eviction take one of them", async () => {
    const objects = await installed();
    for (const role of ["controller", "server", "sni-gateway", "steward"]) {
      expect(objects[`Deployment butler-system/butler-${role}`], role).toMatchObject({
        spec: {
          replicas: 2,
          strategy: { type: "RollingUpdate" },
          template: {
            spec: {
              priorityClassName: "system-cluster-critical",
              topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "kubernetes.io/hostname" }],
            },
          },
        },
      });
      expect(objects[`PodDisruptionBudget butler-system/butler-${role}`], role).toMatchObject({
        spec: { maxUnavailable: 1 },
      });
    }
  });

  it("elect a leader among controllers, while every replica serves admission", async () => {
    const objects = await installed();
    for (const role of ["controller", "steward"]) {
      expect(podOf(objects, role).containers[0].args).toEqual(
        expect.arrayContaining(["--leader-election", `--admission-service=butler-system/butler-${role}`]),
      );
      expect(objects[`Role butler-system/butler-${role}`], role).toBeDefined();
      expect(objects[`Service butler-system/butler-${role}`], role).toMatchObject({
        spec: { selector: { "app.kubernetes.io/component": role } },
      });
    }
  });
});

describe.concurrent("the chart's NetworkPolicies", () => {
  it("allow ingress only on a role's own ports, and all egress", async () => {
    const objects = await renderChart({ values: everything });
    const ports = Object.fromEntries(
      policiesOf(objects).map((key) => {
        const { spec } = objects[key] as unknown as { spec: { ingress: [{ ports: { port: number }[] }] } };
        expect(spec).toMatchObject({ policyTypes: ["Ingress"] });
        expect(spec).not.toHaveProperty("egress");
        return [key.replace(/.*butler-/, ""), spec.ingress[0].ports.map(({ port }) => port)];
      }),
    );
    expect(ports).toEqual({
      steward: [8081, 9443],
      controller: [8081, 9443],
      "sni-gateway": [6443, 8081],
      server: [8080, 8081],
      "local-provider": [8081],
    });
  });

  it("select the pods of their role", async () => {
    const objects = await renderChart({ values: everything });
    for (const key of policiesOf(objects)) {
      const deployment = objects[key.replace("NetworkPolicy", "Deployment")];
      const selector = (deployment as unknown as { spec: { selector: object } }).spec.selector;
      expect(objects[key]).toMatchObject({ spec: { podSelector: selector } });
    }
  });

  it("are removed with their role, and all of them when disabled", async () => {
    expect(policiesOf(await renderChart())).not.toContain("NetworkPolicy butler-system/butler-local-provider");
    const values = { ...everything, networkPolicies: { enabled: false } };
    expect(policiesOf(await renderChart({ values }))).toEqual([]);
  });

  it("allow egress only as specified in the values", async () => {
    const egress = [{ to: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: [{ protocol: "TCP", port: 6443 }] }];
    const objects = await renderChart({ values: { networkPolicies: { egress } } });
    for (const key of policiesOf(objects)) {
      expect(objects[key]).toMatchObject({ spec: { policyTypes: ["Ingress", "Egress"], egress } });
    }
  });
});

describe.concurrent("the chart's values", () => {
  const values = chartValues(chartRoles());

  it("are listed with their defaults in values.yaml and in the README", async () => {
    const file = (name: string): Promise<string> => readFile(join(repositoryRoot, chartFolder, name), "utf8");
    const written: unknown = parse(await file("values.yaml"));
    const readme = await file("README.md");
    for (const { path, fallback } of values) {
      expect(at(written, path), path).toEqual(fallback);
      expect(readme).toContain(`| \`${path}\``);
    }
  });

  it.each([
    ["a word for a number", { steward: { replicas: "many" } }, "/steward/replicas"],
    ["half a process", { controller: { replicas: 1.5 } }, "/controller/replicas"],
    ["a misspelt name", { steward: { replica: 2 } }, "replica"],
    ["an unknown section", { stewart: {} }, "stewart"],
    ["a number for text", { image: { tag: 12 } }, "/image/tag"],
    ["a tag with a space", { image: { tag: "a b" } }, "/image/tag"],
    ["a word for a switch", { crds: { install: "yes" } }, "/crds/install"],
    ["no such port", { sniGateway: { service: { port: 70_000 } } }, "/sniGateway/service/port"],
    ["no such type of Service", { sniGateway: { service: { type: "ExternalName" } } }, "/sniGateway/service/type"],
    ["no such level", { logLevel: "loud" }, "/logLevel"],
    ["two members", { steward: { defaultDataStore: { members: 2 } } }, "/steward/defaultDataStore/members"],
    ["a volume of no size", { steward: { defaultDataStore: { storage: { size: "" } } } }, "storage/size"],
    ["secrets by name alone", { imagePullSecrets: ["mirror"] }, "/imagePullSecrets/0"],
  ])("are rejected with their path: %s", async (_title, wrong, place) => {
    const attempt = helmOnChart("template", { values: wrong });
    await expect(attempt).rejects.toThrow(/don't meet the specifications of the schema/);
    await expect(attempt).rejects.toThrow(place);
  });

  it("cannot inject other content, whatever text they contain", async () => {
    const enums = ["image.pullPolicy", "logLevel"];
    const texts = values.filter(({ path, schema }) => schema["type"] === "string" || enums.includes(path));
    const hostile = fc.oneof(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.constantFrom(
        '"\n  hostNetwork: true\n#',
        "a\n---\nkind: Secret",
        "{{ .Release.Name }}",
        "'|\n- x: &a *a",
        "%s%d%!",
        "yes",
        "0x1f",
        "# x",
      ),
    );
    const setting = { values: { ...everything, crds: { install: false } }, flags: ["--skip-schema-validation"] };
    const shape = shapeOf(
      await renderChart({ ...setting, values: mergedValues(setting.values, texts, () => "harmless") }),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const objects = await renderChart({ ...setting, values: mergedValues(setting.values, texts, () => text) });
        expect(shapeOf(objects)).toEqual(shape);
        const pod = podOf(objects, "steward");
        expect(pod["priorityClassName"]).toBe(text);
        expect(pod.containers[0].args).toContain(`--default-data-store=${text}`);
      }),
      { numRuns: shortOrLong(10, 500) },
    );
  });
});

function at(tree: unknown, path: string): unknown {
  return path.split(".").reduce((node, name) => (node as Record<string, unknown>)[name], tree);
}

/** The structure of objects without their text. */
function shapeOf(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(shapeOf);
  if (typeof tree !== "object" || tree === null) return typeof tree;
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, shapeOf(value)]));
}
