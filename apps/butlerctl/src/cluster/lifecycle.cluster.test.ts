import { annotations, TenantCluster } from "@butler/api";
import { runCli } from "@butler/cli-kit";
import { paperTerminal } from "@butler/cli-kit/testing";
import { eventually } from "@butler/testkit";
import { writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { butlerctl } from "../program.ts";
import { createBlue, ready, stated, useHarness } from "../testing/harness.ts";

const harness = useHarness("butlerctl-changing");

beforeAll(async () => {
  await harness.run(createBlue);
  await harness.reportCluster("blue", ready);
});

describe("butlerctl cluster lifecycle", () => {
  it.each([
    ["cluster create blue --team payments", 5, 'cluster "blue" already exists in namespace payments'],
    ["cluster create x --team absent", 3, 'team "absent" not found'],
    ["cluster create x -n nowhere", 3, "namespace nowhere not found"],
    ["cluster create x --kubernetes-version 1.2.3", 2, "v1.2.3 is not supported"],
    ["cluster create x --name y", 2, 'conflicting cluster names: "x" and "y"'],
    ["cluster create x --memory 8", 2, "with a unit"],
    ["cluster create x -f absent.yaml", 1, "cannot read absent.yaml"],
    ["cluster create x -n payments --service-cidr 10.0.0.0/12 --pod-cidr 10.0.0.0/8", 4, "  spec.networking: Invalid"],
    ["cluster get x --context nowhere", 1, 'the kubeconfig has no context "nowhere"'],
  ])("refuses %s", async (line, code, said) => {
    const refused = await harness.run(line);
    expect(refused).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(said) as string });
  });

  it("reads a manifest from a file or standard input, overridden by options", async () => {
    const file = harness.file("green.yaml");
    const manifest = `apiVersion: ${TenantCluster.apiVersion}\nkind: TenantCluster\nmetadata: { name: green, namespace: payments }\nspec:\n  teamRef: { name: payments }\n  workers: { replicas: 3 }\n`;
    await writeFile(file, manifest);
    const shown = await harness.run(`cluster create -f ${file} --workers 1 --dry-run`);
    expect(parse(shown.stdout)).toMatchObject({
      metadata: { name: "green", namespace: "payments" },
      spec: { teamRef: { name: "payments" }, workers: { replicas: 1 } },
    });
    expect(await harness.run("cluster get green")).toMatchObject({ code: 3, stdout: "" });
    const made = await harness.run("cluster create -f -", { input: manifest });
    expect(made).toMatchObject({ code: 0 });
    await writeFile(file, manifest.replace("replicas", "replica"));
    expect(await harness.run(`cluster create lime -f ${file}`)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('unknown field "spec.workers.replica"') as string,
    });
    await harness.cluster.client.delete(TenantCluster, { name: "green", namespace: "payments" });
  });

  it("plans a cluster with its limits, and creates nothing", async () => {
    const plan = await harness.run(
      "cluster plan huge --team payments --environment dev --provider local --workers 12 --cpu 4 --memory 8Gi -o json",
    );
    const { objects, limits } = JSON.parse(plan.stdout) as {
      objects: { kind: string }[];
      limits: { limit: string; isExceeded: boolean; used: string; asked: string; maximum: string }[];
    };
    expect(objects.map(({ kind }) => kind)).toEqual([
      "TenantCluster",
      "Namespace",
      "Cluster",
      "StewardControlPlane",
      "MachineDeployment",
    ]);
    expect(limits).toContainEqual({
      limit: "team CPU cores",
      used: "8",
      asked: "48",
      maximum: "40",
      isExceeded: true,
    });
    expect(limits).toContainEqual({
      limit: "clusters in environment dev",
      used: "1",
      asked: "1",
      maximum: "2",
      isExceeded: false,
    });
    expect((await harness.run("cluster get huge")).code).toBe(3);
    const refused = await harness.run("cluster plan blue --team payments");
    expect(refused).toMatchObject({ code: 1, stderr: "butlerctl: payments/blue would be denied\n" });
    expect(refused.stdout).toContain('cluster "blue" already exists in namespace payments');
  });

  it("scales the main pool and others, and rejects invalid sizes", async () => {
    await harness.cluster.client.patch(
      TenantCluster,
      { name: "blue", namespace: "payments" },
      { type: "merge", patch: { spec: { workerPools: [{ name: "gpu", replicas: 1 }] } } },
    );
    expect(await harness.run("cluster scale blue --workers 5")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("Scaling blue from 2 to 5 workers.") as string,
    });
    expect((await harness.run("cluster scale blue --pool gpu --workers 0")).code).toBe(0);
    expect((await harness.run("cluster scale blue --workers 5")).stderr).toContain("already has 5 workers");
    const { spec } = await harness.cluster.client.get(TenantCluster, { name: "blue", namespace: "payments" });
    expect([spec.workers.replicas, spec.workerPools?.[0]?.replicas]).toEqual([5, 0]);
    expect(await harness.run("cluster scale blue --pool arm --workers 1")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("pool arm not found; available pools: workers, gpu") as string,
    });
    expect(await harness.run("cluster scale blue --workers 0")).toMatchObject({ code: 2 });
    expect(await harness.run("cluster scale blue")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("required option") as string,
    });
  });

  it("upgrades one minor version at a time", async () => {
    expect(await harness.run("cluster upgrade blue --to v1.34.0")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("blue cannot be downgraded from v1.35.2 to v1.34.0") as string,
    });
    expect(await harness.run("cluster upgrade blue --to soon")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("must be a full version") as string,
    });
    expect((await harness.run("cluster upgrade blue --to v1.36.3 --dry-run")).stderr).toContain(
      "Dry run: nothing was changed",
    );
    expect((await harness.run("cluster upgrade blue --to 1.36.3")).stderr).toContain(
      "Upgrade of blue from v1.35.2 to v1.36.3:\n  1. the control plane",
    );
    expect((await harness.run("cluster get blue -o json")).stdout).toContain('"kubernetesVersion": "v1.36.3"');
  });

  it("prints progress while waiting, and fails when the cluster does", async () => {
    const waiting = harness.start("cluster create teal --team payments --wait --timeout 60s");
    await eventually(() => waiting.output.stderr.includes("Pending"));
    await harness.reportCluster("teal", {
      phase: "Provisioning",
      observedGeneration: 1,
      conditions: [stated("ControlPlaneReady", "False", "the API server is starting")],
    });
    await eventually(() => waiting.output.stderr.includes("… ControlPlaneReady: the API server is starting"));
    await harness.reportCluster("teal", {
      ...ready,
      conditions: [stated("ControlPlaneReady", "True", "the API server answers"), stated("Ready", "True", "")],
    });
    const { code, stderr, stdout } = await waiting.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("✓ ControlPlaneReady: the API server answers");
    expect(stderr).toContain("teal is ready. Use it with: butlerctl cluster kubeconfig teal -n payments");
    expect(stderr).not.toContain("\u001B");

    const failing = harness.start("cluster scale teal --workers 4 --wait");
    await eventually(() => failing.output.stderr.includes("Scaling teal from"));
    await harness.reportCluster("teal", {
      phase: "Failed",
      observedGeneration: 2,
      conditions: [stated("Ready", "False", "no room is left")],
    });
    expect(await failing.ended).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("teal has failed: no room is left") as string,
    });
  });

  it("stops waiting on timeout or interrupt, and says that the operation continues", async () => {
    const late = await harness.run("cluster create grey --team payments --wait --timeout 1s");
    expect(late).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(
        /timed out waiting for grey to be ready after 1s: .*\n.*butlerctl cluster why grey -n payments/,
      ) as string,
    });
    const waiting = harness.start("cluster destroy grey --yes --wait");
    await eventually(() => waiting.output.stderr.includes("is being deleted"));
    expect((await waiting.ended).code).toBe(0);
    const interrupted = harness.start("cluster create grey --team payments --wait");
    await eventually(() => interrupted.output.stderr.includes("Pending"));
    interrupted.process.kill("SIGINT");
    expect(await interrupted.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining(
        "stopped waiting for grey to be ready\nThe operation continues in the background.",
      ) as string,
    });
    const watching = harness.start("cluster list -A --watch -o name");
    await eventually(() => watching.output.stdout.includes("/grey"));
    watching.process.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
  });

  it("watches changes until the cluster is deleted", async () => {
    const watching = harness.start("cluster get grey --watch");
    await eventually(() => watching.output.stdout.includes("Pending"));
    await harness.reportCluster("grey", { phase: "Provisioning" });
    await eventually(() => watching.output.stdout.includes("Provisioning"));
    await harness.cluster.client.delete(TenantCluster, { name: "grey", namespace: "payments" });
    expect(await watching.ended).toMatchObject({ code: 0, stderr: "grey was deleted.\n" });
  });

  it("does not delete a cluster of the same name created during the confirmation", async () => {
    const key = { name: "pink", namespace: "payments" };
    const spec = { teamRef: { name: "payments" }, workers: { replicas: 1 } };
    await harness.create(TenantCluster, key, { spec });
    const terminal = paperTerminal({
      isInteractive: true,
      environment: { KUBECONFIG: harness.kubeconfig },
      ask: async () => {
        await harness.cluster.client.delete(TenantCluster, key);
        await harness.create(TenantCluster, key, { spec });
        return "pink";
      },
    });
    const words = ["cluster", "destroy", "pink", "-n", "payments"];
    expect(await runCli(await butlerctl.build(terminal, words), words, terminal)).toBe(5);
    expect(terminal.written.text).toContain("nothing was deleted");
    expect((await harness.cluster.client.get(TenantCluster, key)).metadata.deletionTimestamp).toBeUndefined();
    await harness.cluster.client.delete(TenantCluster, key);
  });

  it("deletes a cluster only after confirmation, and never a protected one", async () => {
    const key = { name: "mauve", namespace: "payments" };
    await harness.create(TenantCluster, key, { spec: { teamRef: { name: "payments" }, workers: { replicas: 1 } } });
    expect(await harness.run("cluster destroy mauve")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Pass --yes to confirm.") as string,
    });
    await harness.cluster.client.patch(TenantCluster, key, {
      type: "merge",
      patch: { metadata: { annotations: { [annotations.deletionProtection]: "true" } } },
    });
    expect(await harness.run("cluster destroy mauve --yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `kubectl annotate -n payments tenantcluster mauve ${annotations.deletionProtection}-`,
      ) as string,
    });
    await harness.cluster.client.patch(TenantCluster, key, {
      type: "merge",
      patch: {
        metadata: {
          annotations: { [annotations.deletionProtection]: null },
          finalizers: ["butler.butlerlabs.dev/tenantcluster"],
        },
      },
    });
    const waiting = harness.start("cluster destroy mauve --yes --wait");
    await eventually(() => waiting.output.stderr.includes("Deleting"));
    expect((await harness.run("cluster destroy mauve --yes")).stderr).toContain("is already being deleted");
    await harness.reportCluster("mauve", {
      conditions: [stated("WorkersRemoved", "False", "waiting for deletion of machine mauve-workers-1")],
    });
    await eventually(() =>
      waiting.output.stderr.includes("… WorkersRemoved: waiting for deletion of machine mauve-workers-1"),
    );
    await harness.cluster.client.patch(TenantCluster, key, {
      type: "merge",
      patch: { metadata: { finalizers: null } },
    });
    const { code, stderr } = await waiting.ended;
    expect(code).toBe(0);
    expect(stderr).toContain("mauve was deleted.");
    expect((await harness.run("cluster destroy mauve --yes")).code).toBe(3);
  });
});
