import { AddonDefinition, TenantAddon } from "@butler/api";
import { installCrds } from "@butler/kube";
import { eventually } from "@butler/testkit";
import { writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createBlue, stated, useHarness } from "../testing/harness.ts";

const harness = useHarness("butlerctl-addon");
const namespace = "payments";

async function define(name: string, spec: Record<string, unknown> = {}): Promise<void> {
  const chart = { repository: "https://charts.example.com", name, defaultVersion: "1.0.0" };
  const body = { displayName: name, description: `${name}.`, category: "other", chart, ...spec };
  await harness.create(AddonDefinition, { name }, { spec: body });
}

/** Writes a status of an add-on as its controller would. */
async function report(name: string, status: Record<string, unknown>): Promise<void> {
  const patch = { type: "merge", patch: { status }, subresource: "status" } as const;
  await harness.cluster.client.patch(TenantAddon, { name, namespace }, patch);
}

const specOf = async (name: string): Promise<TenantAddon["spec"]> =>
  (await harness.cluster.client.get(TenantAddon, { name, namespace })).spec;

const installed = {
  phase: "Installed",
  installedVersion: "1.0.0",
  message: "everything is ready",
  resources: { total: 3, ready: 3 },
  helmRelease: { name: "web", namespace: "web", revision: 2, status: "deployed" },
  history: [
    { revision: 2, version: "1.0.0", status: "deployed", description: "Upgrade complete" },
    { revision: 1, version: "0.9.0", status: "superseded", description: "Install complete" },
  ],
  conditions: [stated("Ready", "True", "everything is ready")],
};

beforeAll(async () => {
  await installCrds(harness.cluster.client, [AddonDefinition, TenantAddon]);
  await harness.run(createBlue);
  await define("web", {
    defaults: { values: { replicas: 1, image: { tag: "a" } } },
    valuesSchema: {
      type: "object",
      properties: { replicas: { type: "integer", title: "Replicas", minimum: 1, default: 1 } },
    },
  });
  await define("network", { category: "cni" });
  await define("proxy", { dependsOn: ["network"], conflictsWith: ["mesh"] });
  await define("mesh");
  await define("disks", { variations: [{ providers: ["local"], unsupported: "pods have no disks" }] });
});

describe("butlerctl addon catalog", () => {
  it("lists entries, and shows one with its values", async () => {
    const { stdout } = await harness.run("addon catalog");
    expect(stdout.split("\n")[0]?.split(/\s+/)).toEqual(["NAME", "CATEGORY", "VERSION", "TITLE"]);
    expect(stdout).toMatch(/^web +other +1\.0\.0 +web$/m);
    expect((await harness.run("addon catalog --category cni -o name")).stdout).toBe(
      "addondefinition.butler.butlerlabs.dev/network\n",
    );
    const one = (await harness.run("addon catalog web")).stdout;
    expect(one).toMatch(/^Chart: +web from https:\/\/charts\.example\.com$/m);
    expect(one).toMatch(/^ {2}replicas +integer +1 +Replicas$/m);
    expect((await harness.run("addon catalog disks")).stdout).toContain("local: pods have no disks");
    expect(await harness.run("addon catalog wep")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("Did you mean web?") as string,
    });
  });
});

describe("butlerctl addon enable", () => {
  it.each([
    ["addon enable teal web", 3, 'cluster "teal" not found'],
    ["addon enable blue wep", 3, 'add-on "wep" not found in the catalog\nDid you mean web?'],
    ["addon enable blue", 2, "the add-on name is required"],
    ["addon enable blue web --addon proxy", 2, 'conflicting add-on names: "web" and "proxy"'],
    ["addon enable blue web --set replicas=0", 1, "replicas must be at least 1"],
    ["addon enable blue disks", 1, "cannot be used on local: pods have no disks"],
    ["addon enable blue x --repository https://me:pw@example.com", 1, "must not contain a username or password"],
  ])("refuses %s", async (line, code, said) => {
    expect(await harness.run(line)).toMatchObject({
      code,
      stdout: "",
      stderr: expect.stringContaining(said) as string,
    });
  });

  it("prints the object and creates nothing in a dry run", async () => {
    const file = harness.file("values.yaml");
    await writeFile(file, "replicas: 2\nimage: { tag: b, pull: always }\n");
    const line = `addon enable --cluster blue --addon web -n payments --version 1.2.3 --values ${file} --set image.tag=c --dry-run`;
    expect(parse((await harness.run(line)).stdout)).toEqual({
      apiVersion: TenantAddon.apiVersion,
      kind: "TenantAddon",
      metadata: { name: "blue-web", namespace },
      spec: {
        clusterRef: { name: "blue" },
        addon: "web",
        version: "1.2.3",
        values: { replicas: 2, image: { tag: "c", pull: "always" } },
      },
    });
    expect((await harness.run("addon list blue")).stderr).toContain("No add-ons found on blue");
  });

  it("prints progress while waiting, succeeds, and reports an existing add-on", async () => {
    const waiting = harness.start("addon enable blue web --set replicas=2 --wait --timeout 60s");
    await eventually(() => waiting.output.stderr.includes("Pending"));
    const message = "1 of 3 objects are ready; waiting for Deployment web/web: 0 of 2 pods";
    await report("blue-web", { phase: "Installing", observedGeneration: 1, message });
    await eventually(() => waiting.output.stderr.includes(`Installing: ${message}`));
    await report("blue-web", { ...installed, observedGeneration: 1 });
    const { code, stderr } = await waiting.ended;
    expect(code).toBe(0);
    expect(stderr).toContain("web is ready on blue.");
    expect(await harness.run("addon install blue web")).toMatchObject({
      code: 0,
      stderr: "web already exists on blue (phase: Installed).\n",
    });
    expect(await harness.run("addon enable blue web --version 2.0.0")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("butlerctl addon upgrade blue web") as string,
    });
  });

  it("fails when the add-on does", async () => {
    const waiting = harness.start("addon enable blue mesh --wait --timeout 60s");
    await eventually(() => waiting.output.stderr.includes("Pending"));
    const conditions = [stated("Ready", "False", "the hook Job failed")];
    await report("blue-mesh", { phase: "Failed", observedGeneration: 1, message: "the hook Job failed", conditions });
    const { code, stderr } = await waiting.ended;
    expect(code).toBe(6);
    expect(stderr).toContain(
      "mesh has failed: the hook Job failed\nCheck its status with: butlerctl addon status blue mesh -n payments",
    );
  });

  it("rejects conflicts, and reports dependencies it waits for", async () => {
    expect(await harness.run("addon enable blue proxy")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("proxy conflicts with blue-mesh") as string,
    });
    expect((await harness.run("addon uninstall blue mesh --yes --wait")).code).toBe(0);
    const { code, stderr } = await harness.run("addon enable blue proxy");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("proxy: waiting for add-on network") as string,
    });
  });

  it("installs a chart that is not in the catalog", async () => {
    const words =
      "addon enable blue podinfo --repository oci://ghcr.io/demo --chart pod-info --version 6.7.0 --into demo --credentials mine";
    expect((await harness.run(words)).code).toBe(0);
    expect(await specOf("blue-podinfo")).toMatchObject({
      version: "6.7.0",
      helm: {
        repository: "oci://ghcr.io/demo",
        chart: "pod-info",
        namespace: "demo",
        credentialsRef: { name: "mine" },
      },
    });
    expect(await harness.run("addon upgrade blue podinfo")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("so it has no default version") as string,
    });
  });
});

describe("butlerctl addon, reading", () => {
  it("lists the add-ons of a cluster, and of all clusters in a namespace", async () => {
    const { stdout } = await harness.run("addon list blue");
    expect(stdout.split("\n")[0]?.split(/\s+/)).toEqual([
      "NAME",
      "ADDON",
      "VERSION",
      "PHASE",
      "INSTALLED",
      "READY",
      "AGE",
    ]);
    expect(stdout).toMatch(/^blue-web +web +- +Installed +1\.0\.0 +3\/3 /m);
    expect((await harness.run("addon list -n payments -o wide")).stdout).toMatch(
      /^CLUSTER .* HELM RELEASE +HELM NAMESPACE +MESSAGE$/m,
    );
    expect((await harness.run("addon list -A -o name")).stdout).toContain(
      "tenantaddon.butler.butlerlabs.dev/blue-web\n",
    );
  });

  it("shows the status: objects that are not ready, history, conditions", async () => {
    const waiting = [
      { kind: "Deployment", namespace: "web", name: "web", state: "failed", message: "image cannot be pulled" },
    ];
    await report("blue-web", { phase: "Degraded", resources: { total: 3, ready: 2, waiting } });
    const { stdout } = await harness.run("addon get blue web");
    expect(stdout).toMatch(/^Phase: +Degraded$/m);
    expect(stdout).toMatch(/^Ready: +2\/3$/m);
    expect(stdout).toMatch(/^ {2}Deployment web\/web +failed +image cannot be pulled$/m);
    expect(stdout).toMatch(/^ {2}1 +0\.9\.0 +superseded .*Install complete$/m);
    expect(stdout).toMatch(/^ {2}Ready +True +Test .*everything is ready$/m);
    expect(
      (JSON.parse((await harness.run("addon status --cluster blue web -o json")).stdout) as TenantAddon).spec.addon,
    ).toBe("web");
    expect(await harness.run("addon status blue webb")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("Did you mean web?") as string,
    });
    await report("blue-web", { ...installed, resources: { total: 3, ready: 3, waiting: null } });
  });

  it("watches changes until the add-on is removed", async () => {
    await define("short");
    await harness.run("addon enable blue short");
    const watching = harness.start("addon status blue short --watch");
    await eventually(() => watching.output.stdout.includes("Pending"));
    await report("blue-short", { phase: "Installing", message: "begins" });
    await eventually(() => /---\n.*Installing/s.test(watching.output.stdout));
    await harness.run("addon disable blue short --yes");
    expect(await watching.ended).toMatchObject({ code: 0, stderr: "short was removed.\n" });
  });

  it("shows its own values, and the merged ones", async () => {
    expect(parse((await harness.run("addon values blue web")).stdout)).toEqual({ replicas: 2 });
    expect(parse((await harness.run("addon values blue web --all")).stdout)).toEqual({
      values: { replicas: 2, image: { tag: "a" } },
      origins: [
        { path: "image.tag", from: "definition" },
        { path: "replicas", from: "addon" },
      ],
    });
    const table = (await harness.run("addon values blue web --all -o table")).stdout;
    expect(table).toMatch(/^image\.tag +"a" +definition$/m);
  });
});

describe("butlerctl addon, changing", () => {
  it("upgrades to another version and values, or to the catalog's version", async () => {
    expect((await harness.run("addon upgrade blue web --version 1.1.0 --set image.tag=z --dry-run")).stdout).toContain(
      "tag: z",
    );
    const { code, stderr } = await harness.run(
      "addon upgrade blue web --version 1.1.0 --set image.tag=z --set replicas=null",
    );
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("web changes from 1.0.0 to 1.1.0.\nweb uses the new values.") as string,
    });
    expect(await specOf("blue-web")).toMatchObject({ version: "1.1.0", values: { image: { tag: "z" } } });
    expect(await harness.run("addon upgrade blue web --set replicas=zero")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("replicas must be integer") as string,
    });
    expect((await harness.run("addon upgrade blue web --reset-values")).code).toBe(0);
    expect((await specOf("blue-web")).values).toBeUndefined();
    expect((await harness.run("addon upgrade blue web")).stderr).toContain("is pinned to 1.0.0");
    expect((await harness.run("addon upgrade blue web")).stderr).toContain("already has the requested configuration");
  });

  it("rolls back to the previous revision, or to a given one, until the next upgrade", async () => {
    expect((await harness.run("addon rollback blue web")).stderr).toContain(
      "Rolling back web to revision 1 (version 0.9.0).",
    );
    expect((await specOf("blue-web")).rollbackTo).toBe(1);
    expect(await harness.run("addon rollback blue web --revision 7")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Revisions: 2 (1.0.0), 1 (0.9.0).") as string,
    });
    expect(await harness.run("addon rollback blue proxy")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The add-on has not been installed yet.") as string,
    });
    expect((await harness.run("addon upgrade blue web")).stderr).toContain("is no longer rolled back to revision 1");
    expect((await specOf("blue-web")).rollbackTo).toBeUndefined();
  });

  it("reports a failed upgrade that was rolled back", async () => {
    const waiting = harness.start("addon upgrade blue web --version 2.0.0 --wait --timeout 60s");
    await eventually(() => waiting.output.stderr.includes("changes from"));
    const { metadata } = await harness.cluster.client.get(TenantAddon, { name: "blue-web", namespace });
    const conditions = [{ ...stated("Ready", "False", "2.0.0 did not become ready"), reason: "UpgradeFailed" }];
    await report("blue-web", { ...installed, observedGeneration: metadata.generation, conditions });
    expect(await waiting.ended).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("web has failed: 2.0.0 did not become ready") as string,
    });
  });

  it("removes only after confirmation", async () => {
    expect(await harness.run("addon disable blue web")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Pass --yes") as string,
    });
    expect((await harness.run("addon disable --cluster blue --addon web --yes --wait")).stderr).toContain(
      "web was removed from blue.",
    );
    expect((await harness.run("addon disable blue web --yes")).code).toBe(3);
  });
});
