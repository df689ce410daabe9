import { kubeconfigAccess, TenantCluster } from "@butler/api";
import { Machine } from "@butler/api-external";
import { builtinKinds } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { makeControlPlane, makeKubeconfig, makeMember } from "../testing/blue-inside.ts";
import { createBlue, ready, stated, useHarness } from "../testing/harness.ts";
import { type StandInKubelet, startKubelet } from "../testing/stand-in-kubelet.ts";

const harness = useHarness("butlerctl-inside");
const inside = "blue-inside";
const { Event, Node, Secret } = builtinKinds;
let kubelet: StandInKubelet;

/** A kubeconfig of a user with a role in the team, as Butler's controllers grant it. */
let viewer: string;

beforeAll(async () => {
  expect((await harness.run(createBlue)).code).toBe(0);
  await harness.cluster.createNamespace(inside);
  await harness.reportCluster("blue", {
    ...ready,
    tenantNamespace: inside,
    kubeconfigSecretRef: { name: "blue-kubeconfig" },
  });
  kubelet = await startKubelet(harness, "n1");
  await makeControlPlane(harness, inside);
  await makeKubeconfig(harness, inside);
  viewer = await makeMember(harness, inside, { email: "vera@example.com", role: "viewer" });
});
afterAll(() => kubelet?.close());

describe("butlerctl cluster, inside a cluster", () => {
  it("lists nodes with their machines, and watches them with --watch", async () => {
    const infrastructureRef = { apiGroup: "i", kind: "K", name: "m1" };
    const labels = { "cluster.x-k8s.io/deployment-name": "blue-workers" };
    await harness.create(
      Machine,
      { name: "m1", namespace: inside, labels },
      { spec: { clusterName: "blue", version: "v1.35.2", bootstrap: {}, infrastructureRef } },
    );
    const status = { phase: "Running", nodeRef: { name: "n1" } };
    const options = { type: "merge", subresource: "status", patch: { status } } as const;
    await harness.cluster.client.patch(Machine, { name: "m1", namespace: inside }, options);
    const listed = await harness.run("cluster nodes blue");
    expect(listed.stdout).toMatch(
      /^NAME +STATUS +POOL +VERSION +ADDRESS +AGE\nn1 +Ready +workers +v1\.35\.2 +127\.0\.0\.1 +\w+\n$/,
    );
    expect(listed.stderr).toBe("");
    expect(JSON.parse((await harness.run("cluster nodes blue -o json")).stdout)).toMatchObject({
      items: [{ name: "n1", machine: "m1", phase: "Running", os: "Rocky Linux 9.5" }],
    });
    const watching = harness.start("cluster nodes blue --watch -o name");
    await eventually(() => watching.output.stdout === "node/n1\n", { what: () => JSON.stringify(watching.output) });
    await harness.create(Node, { name: "n2" }, {});
    await eventually(() => watching.output.stdout === "node/n1\nnode/n2\n", { what: () => watching.output.stdout });
    await harness.cluster.client.delete(Node, { name: "n2" });
    await eventually(() => watching.output.stderr.includes("n2 was removed."), { what: () => watching.output.stderr });
    watching.process.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
  });

  it("shows machine data to a viewer without access to nodes", async () => {
    const listed = await harness.run("cluster nodes blue -n payments -o json", { kubeconfig: viewer });
    expect(listed.stderr).toBe(
      "You don't have access to the cluster's kubeconfig; showing the status of Machine objects instead.\n",
    );
    expect(JSON.parse(listed.stdout)).toMatchObject({ items: [{ name: "n1", machine: "m1", status: "Unknown" }] });
  });

  it("shows events of the cluster and of no other", async () => {
    const note = (name: string, namespace: string, involvedObject: object, body: object) =>
      harness.create(
        Event,
        { name, namespace },
        { involvedObject: { namespace, ...involvedObject }, count: 2, ...body },
      );
    const ofBlue = { kind: "TenantCluster", name: "blue" };
    await note("a", "payments", ofBlue, {
      type: "Normal",
      reason: "Made",
      message: "it is",
      lastTimestamp: "2026-01-01T00:00:00Z",
    });
    await note(
      "b",
      "payments",
      { ...ofBlue, name: "green" },
      { type: "Warning", reason: "Other", lastTimestamp: "2026-01-01T00:00:01Z" },
    );
    await note(
      "c",
      inside,
      { kind: "Pod", name: "blue-0" },
      { type: "Warning", reason: "BackOff", message: "again", lastTimestamp: "2026-01-01T00:00:02Z" },
    );
    const { stdout } = await harness.run("cluster events blue", {
      kubeconfig: viewer,
      environment: { BUTLER_NAMESPACE: "payments" },
    });
    expect(stdout.split("\n").map((line) => line.replace(/^\w+ +/, ""))).toEqual([
      expect.stringMatching(/TYPE +REASON +OBJECT +MESSAGE$/),
      expect.stringMatching(/^Normal +Made +TenantCluster\/blue +it is$/),
      expect.stringMatching(/^Warning +BackOff +Pod\/blue-0 +again$/),
      "",
    ]);
    expect((await harness.run("cluster events blue --type Normal -o name")).stdout).toBe("event/a\n");
    const watching = harness.start("cluster events blue --watch -o name --type Warning");
    await eventually(() => watching.output.stdout === "event/c\n", { what: () => watching.output.stdout });
    await note(
      "d",
      inside,
      { kind: "Machine", name: "m1" },
      { type: "Warning", reason: "Gone", lastTimestamp: "2026-01-01T00:00:03Z" },
    );
    await eventually(() => watching.output.stdout === "event/c\nevent/d\n", { what: () => watching.output.stdout });
    watching.process.kill("SIGINT");
    await watching.ended;
  });

  it("prints and follows control plane logs, of one component or all", async () => {
    const one = await harness.run("cluster logs blue --component apiserver --tail 5");
    expect(one).toMatchObject({ code: 0, stdout: "I1116 kube-apiserver  says\thello\n", stderr: "" });
    expect(kubelet.asked.at(-1)).toContain(`/containerLogs/${inside}/blue-0/kube-apiserver`);
    expect(kubelet.asked.at(-1)).toContain("tailLines=5");
    expect((await harness.run("cluster logs blue")).stdout).toBe(
      "[kube-apiserver] I1116 kube-apiserver  says\thello\n[kube-scheduler] I1116 kube-scheduler  says\thello\n",
    );
    expect(await harness.run("cluster logs blue --component etcd")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Components: kube-apiserver, kube-scheduler.") as string,
    });
    const following = harness.start("cluster logs blue -f");
    await eventually(() => following.output.stdout.split("\n").length === 3, { what: () => following.output.stdout });
    following.process.kill("SIGINT");
    expect((await following.ended).code).toBe(130);
  });

  it("explains to team members why they cannot read the logs", async () => {
    const refused = await harness.run("cluster logs blue -n payments", { kubeconfig: viewer });
    expect(refused.stdout).toBe("");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("team roles have no access to control plane pods");
    expect(refused.stderr).toContain("butlerctl cluster why blue -n payments");
  });

  it("lists and rotates certificates", async () => {
    const { stdout } = await harness.run("cluster certs blue");
    expect(stdout.split("\n")[0]).toMatch(/^SUBJECT +COMPONENT +EXPIRES +REMAINING +HEALTH$/);
    expect(stdout).toMatch(/^kube-apiserver +api-server-certificate +20\d\d-\d\d-\d\d +\d+w +Healthy$/m);
    const { items } = JSON.parse((await harness.run("cluster certs blue -o json")).stdout) as { items: object[] };
    expect(items).toHaveLength(2);
    expect(JSON.stringify(items)).not.toContain("PRIVATE");

    const dry = await harness.run("cluster rotate blue --dry-run");
    expect(dry).toMatchObject({ code: 0, stdout: "blue-api\n" });
    const waiting = harness.start("cluster rotate blue --wait --timeout 60s");
    const marks = async (name: string) =>
      (await harness.cluster.client.get(Secret, { name, namespace: inside })).metadata.annotations ?? {};
    const rotate = "certs.steward.butlerlabs.dev/rotate";
    await eventually(async () => rotate in (await marks("blue-api")), { what: "the mark" });
    expect(await marks("blue-ca")).not.toHaveProperty(rotate);
    expect(await harness.run("cluster rotate blue")).toMatchObject({
      stderr: expect.stringContaining("a certificate rotation for blue is already in progress") as string,
    });
    // What Steward does once it has regenerated it.
    const patch = { metadata: { annotations: { [rotate]: null } } };
    await harness.cluster.client.patch(Secret, { name: "blue-api", namespace: inside }, { type: "merge", patch });
    const done = await waiting.ended;
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("Rotated the certificates of blue.")]);

    expect(await harness.run("cluster rotate blue --type ca")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes") as string,
    });
    expect((await harness.run("cluster rotate blue -n payments --type ca --yes")).code).toBe(0);
    expect(await marks("blue-ca")).toHaveProperty(rotate);
    const refused = await harness.run("cluster certs blue -n payments", { kubeconfig: viewer });
    expect(refused.stderr).toContain("you don't have permission to read the certificate Secrets of blue");
    expect(refused.stderr).toContain("butlerctl login");
  });

  it("runs commands with the kubeconfig of the cluster, and removes it afterwards", async () => {
    const left = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("butlerctl-shell-"));
    const before = await left();
    const shown = await harness.run(
      "cluster shell blue -- sh -c cat<$KUBECONFIG;stat${IFS}-c%a${IFS}$KUBECONFIG;echo${IFS}$BUTLER_CLUSTER;exit${IFS}7",
    );
    expect(shown.code).toBe(7);
    expect(parse(shown.stdout.split("600\n")[0] ?? "")).toMatchObject({ "current-context": "payments/blue" });
    expect(shown.stdout).toMatch(/\n600\npayments\/blue\n$/);
    expect((await harness.run("cluster shell --name blue -- true")).code).toBe(0);
    expect(await harness.run("cluster shell blue -- no-such-program")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("command not found") as string,
    });
    expect(await harness.run("cluster shell blue")).toMatchObject({ code: 2 });
    const sleeping = harness.start("cluster shell blue -- sleep 60");
    await eventually(async () => (await left()).length > before.length, { what: "the file" });
    sleeping.process.kill("SIGTERM");
    expect((await sleeping.ended).code).not.toBe(0);
    expect(await left()).toEqual(before);
  });

  it("gives the kubeconfig to admins only, and tells operators what to use instead", async () => {
    const olga = await makeMember(harness, inside, { email: "olga@example.com", role: "operator" });
    for (const line of ["cluster kubeconfig blue -n payments", "cluster shell blue -n payments -- true"]) {
      const refused = await harness.run(line, { kubeconfig: olga });
      expect(refused).toMatchObject({ code: 4, stdout: "" });
      expect(refused.stderr).toContain("the kubeconfig of blue requires the admin role in the team");
      expect(refused.stderr).toContain(kubeconfigAccess.hint);
    }
    const ada = await makeMember(harness, inside, { email: "ada@example.com", role: "admin" });
    const given = await harness.run("cluster kubeconfig blue -n payments", { kubeconfig: ada });
    expect(parse(given.stdout)).toMatchObject({ "current-context": "payments/blue" });
  });

  it("waits for a condition, a phase, and deletion", async () => {
    const waiting = harness.start("cluster wait blue --for condition=NetworkReady --timeout 60s");
    await eventually(() => waiting.output.stderr.includes("Ready"), { what: () => waiting.output.stderr });
    await harness.reportCluster("blue", {
      conditions: [...ready.conditions, stated("NetworkReady", "True", "addresses are there")],
    });
    expect(await waiting.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Done: condition NetworkReady of blue is True.") as string,
    });
    expect((await harness.run("cluster wait blue")).code).toBe(0);
    expect((await harness.run("cluster wait blue --for phase=Ready")).code).toBe(0);
    expect(await harness.run("cluster wait blue --for phase=Failed --timeout 200ms")).toMatchObject({
      stderr: expect.stringContaining("timed out waiting for blue to be Failed") as string,
    });
    expect((await harness.run("cluster wait nowhere --for delete")).code).toBe(0);
    expect((await harness.run("cluster wait blue --for soon")).code).toBe(2);
  });

  it("exports a cluster that can be recreated", async () => {
    const exported = await harness.run("cluster export blue");
    expect(exported.stdout).not.toMatch(/status|managedFields|resourceVersion|podCIDR|deletionDeadline/);
    expect(parse(exported.stdout)).toMatchObject({ metadata: { name: "blue", namespace: "payments" } });
    const before = await harness.cluster.client.get(TenantCluster, { name: "blue", namespace: "payments" });
    await harness.cluster.client.apply(TenantCluster, parse(exported.stdout) as TenantCluster, { fieldManager: "a" });
    const after = await harness.cluster.client.get(TenantCluster, { name: "blue", namespace: "payments" });
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.generation).toBe(before.metadata.generation);
    const copy = await harness.run("cluster export blue --as green");
    expect((await harness.run("cluster create -f -", { input: copy.stdout })).code).toBe(0);
    const green = await harness.cluster.client.get(TenantCluster, { name: "green", namespace: "payments" });
    expect(green.spec).toEqual(before.spec);
    const all = await harness.run("cluster export --all --team payments");
    expect(all.stdout.split("\n---\n").map((text) => (parse(text) as TenantCluster).metadata.name)).toEqual([
      "blue",
      "green",
    ]);
    expect((await harness.run("cluster export blue --all")).code).toBe(2);
  });

  it("moves a cluster to another environment, subject to admission", async () => {
    expect(await harness.run("cluster env move blue --to prod")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('team payments has no environment "prod"; environments: dev') as string,
    });
    const moved = () => harness.cluster.client.get(TenantCluster, { name: "green", namespace: "payments" });
    expect((await harness.run("cluster env move green --none --dry-run")).stderr).toContain(
      "Dry run: nothing was changed",
    );
    expect((await moved()).metadata.labels).toMatchObject({ "butler.butlerlabs.dev/environment": "dev" });
    expect((await harness.run("cluster env move green --none")).code).toBe(0);
    expect((await moved()).metadata.labels ?? {}).toEqual({});
    const back = await harness.run("cluster env move green --to dev");
    expect(back.stderr).toContain("Moved payments/green from no environment to dev.");
    expect((await moved()).metadata.annotations).toMatchObject({ "butler.butlerlabs.dev/migration-operation": "true" });
    expect((await harness.run("cluster env move green --to dev")).stderr).toContain("is already in environment dev");
    expect((await harness.run("cluster env move green")).code).toBe(2);
    const refused = await harness.run("cluster env move green --none -n payments", { kubeconfig: viewer });
    expect(refused.stderr).toMatch(/you cannot patch/);
  });
});

const hasScript = await promisify(execFile)("script", ["--version"]).then(
  () => true,
  () => false,
);

describe.runIf(hasScript)("butlerctl cluster create in a terminal", () => {
  it("asks, shows the manifest and the command line, and creates the cluster", async () => {
    const typed = ["payments", "", "9x", "amber", "", "", "2", "", "4Gi", "", "y"];
    const made = await harness.atTerminal("cluster create", typed);
    expect(made).toContain("Kubernetes version [v1.36.3, platform default]");
    expect(made).toContain("A name must start with a letter");
    expect(made).toContain("butlerctl cluster create amber --team payments --environment dev --workers 2 --memory 4Gi");
    expect(made).toContain("kind: TenantCluster");
    expect(made).toContain("Creating payments/amber.");
    const amber = await harness.cluster.client.get(TenantCluster, { name: "amber", namespace: "payments" });
    expect(amber.spec).toMatchObject({ workers: { replicas: 2, machineTemplate: { memory: "4Gi" } } });
    expect(amber.spec.workers.machineTemplate.cpu).toBeUndefined();
    const declined = await harness.atTerminal("cluster create", ["", "", "brown", "", "", "", "", "", "", "n"]);
    expect(declined).toContain("Nothing was created.");
  });
});
