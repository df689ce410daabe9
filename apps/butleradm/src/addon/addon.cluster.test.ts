import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AddonDefinition, ManagementAddon, TenantAddon } from "@butler/api";
import type { Run } from "@butler/cli-kit/testing";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { runButleradm } from "../testing/run-butleradm.ts";

const catalog = fileURLToPath(new URL("../../../../deploy/catalog", import.meta.url));
let cluster: TestCluster;
let folder: string;

const run = (line: string, input = ""): Promise<Run> =>
  runButleradm(line, { kubeconfig: cluster.controlPlane.kubeconfigPath, input });

function definition(name: string, spec: object = {}): string {
  const chart = { repository: "https://charts.example.com", name, defaultVersion: "1.0.0" };
  return stringify({
    apiVersion: AddonDefinition.apiVersion,
    kind: "AddonDefinition",
    metadata: { name },
    spec: { displayName: name, description: `${name}.`, category: "other", chart, ...spec },
  });
}

const names = async (): Promise<string[]> =>
  (await cluster.client.list(AddonDefinition)).items.map(({ metadata }) => metadata.name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butleradm-addon-"));
  cluster = await aTestCluster({ resources: [AddonDefinition, TenantAddon, ManagementAddon] });
  await cluster.createNamespace("payments");
});
afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("butleradm addon catalog", () => {
  it("validates files without a cluster, and reports each error", async () => {
    expect((await run(`addon catalog validate ${catalog}`)).stderr).toMatch(/^\d\d definitions are valid\.\n$/);
    const documents = [
      definition("loop", { dependsOn: ["loop"] }),
      definition("bad", { category: "nonsense" }),
      "kind: ConfigMap\napiVersion: v1\n",
      "a: [",
    ];
    const { code, stderr } = await run("addon catalog validate -", documents.join("---\n"));
    expect(code).toBe(1);
    expect(stderr).toContain("4 errors:");
    expect(stderr).toContain("document 1: spec.dependsOn[0]: must not list the add-on itself");
    expect(stderr).toContain("document 2: spec.category: ");
    expect(stderr).toContain("document 3: not an AddonDefinition");
    expect(stderr).toContain("document 4: invalid YAML");
    expect((await run("addon catalog validate absent.yaml")).stderr).toContain("cannot read absent.yaml");
  });

  it("adds the whole built-in catalog with strict field validation, and changes nothing the second time", async () => {
    expect((await run("addon catalog list")).stderr).toContain("The catalog is empty");
    const first = await run(`addon catalog add -f ${catalog}`);
    expect(first).toMatchObject({ code: 0, stdout: "" });
    expect(first.stderr).toContain("traefik created.");
    expect((await names()).length).toBeGreaterThanOrEqual(36);
    expect((await run(`addon catalog add -f ${catalog}/traefik.yaml`)).stderr).toBe("traefik unchanged.\n");
  });

  it("lists and shows entries", async () => {
    const { stdout } = await run("addon catalog list --category dns");
    expect(stdout.split("\n")[0]?.split(/\s+/)).toEqual(["NAME", "CATEGORY", "CHART", "VERSION", "SOURCE", "AGE"]);
    expect(stdout).toMatch(/^external-dns +dns +external-dns +1\.15\.0 +built-in/m);
    const shown = (await run("addon catalog show linkerd")).stdout;
    expect(shown).toMatch(/^Depends on: +linkerd-crds, cert-manager$/m);
    expect(shown).toMatch(/identityTrustAnchorsPEM \(required\) +string/);
    expect(shown).toMatch(/^Used by: +none$/m);
    expect((parse((await run("addon catalog show linkerd -o yaml")).stdout) as AddonDefinition).kind).toBe(
      "AddonDefinition",
    );
    expect((await run("addon catalog show traefick")).stderr).toContain("Did you mean traefik?");
  });

  it("validates all definitions before it adds the first", async () => {
    const before = await names();
    const file = join(folder, "some.yaml");
    await writeFile(file, [definition("first"), definition("second", { dependsOn: ["nowhere"] })].join("---\n"));
    const refused = await run(`addon catalog add -f ${file}`);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('spec.dependsOn[0]: add-on "nowhere" not found in the catalog');
    expect(await names()).toEqual(before);
    await writeFile(file, [definition("first"), definition("second", { dependsOn: ["first"] })].join("---\n"));
    expect((await run(`addon catalog add -f ${file} --dry-run`)).stderr).toContain("first created (dry run).");
    expect(await names()).toEqual(before);
    expect((await run(`addon catalog add -f ${file}`)).code).toBe(0);
    expect((await run("addon catalog add -f -", definition("first", { displayName: "First" }))).stderr).toBe(
      "first updated.\n",
    );
    expect((await run("addon catalog add -f -", definition("traefik"))).stderr).toContain("definition is built in");
    const cycle = await run("addon catalog add -f -", definition("first", { dependsOn: ["second"] }));
    expect(cycle.stderr).toContain("creates a dependency cycle: first → second → first");
  });

  it("removes only unused add-ons, and lists the users of others", async () => {
    await cluster.client.create(TenantAddon, {
      apiVersion: TenantAddon.apiVersion,
      kind: "TenantAddon",
      metadata: { name: "blue-second", namespace: "payments" },
      spec: { clusterRef: { name: "blue" }, addon: "second" },
    } as TenantAddon);
    const used = await run("addon catalog remove second --yes");
    expect(used).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("second is in use by TenantAddon payments/blue-second") as string,
    });
    expect((await run("addon catalog remove first --yes")).stderr).toContain(
      "first is required by second in the catalog",
    );
    await cluster.client.delete(TenantAddon, { name: "blue-second", namespace: "payments" });
    expect(await run("addon catalog remove second")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Pass --yes") as string,
    });
    expect((await run("addon catalog remove second --yes")).code).toBe(0);
    expect(await names()).not.toContain("second");
  });
});

describe("butleradm addon", () => {
  it("installs an add-on from the catalog on the management cluster", async () => {
    expect((await run("addon list")).stderr).toContain("No add-ons on the management cluster");
    expect((await run("addon install cert-manger")).stderr).toContain("Did you mean cert-manager?");
    const wrong = await run("addon install cert-manager --set replicaCount=0");
    expect(wrong.stderr).toContain("replicaCount must be at least 1");
    const dry = await run("addon install cert-manager --version v1.16.2 --set replicaCount=2 --paused --dry-run");
    expect((parse(dry.stdout) as ManagementAddon).spec).toEqual({
      addon: "cert-manager",
      version: "v1.16.2",
      values: { replicaCount: 2 },
      paused: true,
    });
    expect((await run("addon install cert-manager")).code).toBe(0);
    expect((await run("addon install cert-manager")).stderr).toBe(
      "cert-manager already exists on the management cluster (phase: Pending).\n",
    );
  });

  it("shows the status of an add-on, and uninstalls it", async () => {
    const waiting = [
      { kind: "Deployment", namespace: "cert-manager", name: "webhook", state: "progressing", message: "0 of 1 pods" },
    ];
    const status = {
      phase: "Installing",
      message: "1 of 2 objects are ready",
      resources: { total: 2, ready: 1, waiting },
    };
    const patch = { type: "merge", patch: { status }, subresource: "status" } as const;
    await cluster.client.patch(ManagementAddon, { name: "cert-manager" }, patch);
    expect((await run("addon list")).stdout).toMatch(/^cert-manager +cert-manager +- +Installing +- +1\/2 /m);
    const { stdout } = await run("addon status cert-manager");
    expect(stdout).toMatch(/^ {2}Deployment cert-manager\/webhook +progressing +0 of 1 pods$/m);
    expect((await run("addon catalog remove cert-manager --yes")).stderr).toContain("ManagementAddon cert-manager");
    expect(await run("addon uninstall cert-manager")).toMatchObject({ code: 2 });
    expect((await run("addon uninstall cert-manager --yes")).code).toBe(0);
    expect((await run("addon status cert-manager")).stderr).toContain('add-on "cert-manager" not found');
  });
});
