import { LocalMachine, TenantCluster } from "@butler/api";
import { Machine, MachineDeployment } from "@butler/api-external";
import { builtinKinds } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createBlue, ready, useHarness } from "../testing/harness.ts";

const harness = useHarness("butlerctl-looking");

describe("butlerctl cluster get, kubeconfig and why", () => {
  it("creates a cluster from options and shows it in every format", async () => {
    const made = await harness.run(`${createBlue} -o name`);
    expect(made).toMatchObject({ code: 0, stdout: "tenantcluster.butler.butlerlabs.dev/blue\n" });
    expect(made.stderr).toContain("Creating payments/blue.");
    await harness.reportCluster("blue", ready);
    const asJson = await harness.run("cluster get --name blue -o json");
    const object = JSON.parse(asJson.stdout) as TenantCluster;
    expect(object.spec).toMatchObject({
      kubernetesVersion: "v1.35.2",
      teamRef: { name: "payments" },
      providerConfigRef: { name: "local" },
      workers: { replicas: 2, machineTemplate: { cpu: 4, memory: "8Gi", diskSize: "50Gi" } },
    });
    expect(object.metadata).not.toHaveProperty("managedFields");
    expect(parse((await harness.run("cluster get blue -o yaml")).stdout)).toEqual(object);
    const table = await harness.run("cluster get blue");
    expect(table.stdout.replace(/\d+s\n$/, "1s\n")).toBe(
      "NAME  PHASE  K8S VERSION  WORKERS  AGE\nblue  Ready  v1.35.2      2/2      1s\n",
    );
    const wide = await harness.run("cluster list -A -o wide");
    expect(wide.stdout.split("\n")[1]).toMatch(
      /^payments {3}blue  Ready  v1\.35\.2 {6}2\/2 {6}\w+ +dev  payments  local {5}10\.40\.1\.100:6443$/,
    );
    expect(wide.stderr).toBe("");
  });

  it("finds a cluster by name alone, and rejects an ambiguous name", async () => {
    const other = {
      apiVersion: TenantCluster.apiVersion,
      kind: "TenantCluster",
      metadata: { name: "blue", namespace: "search" },
      spec: {},
    };
    await harness.cluster.client.create(TenantCluster, other);
    expect(await harness.run("cluster get blue")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(
        '2 clusters are named "blue", in namespaces payments, search\nSelect one with -n.',
      ) as string,
    });
    expect((await harness.run("cluster get blue -n search -o name")).code).toBe(0);
    expect((await harness.run("cluster list --team payments -o name")).stdout).toBe(
      "tenantcluster.butler.butlerlabs.dev/blue\n",
    );
    expect(await harness.run("cluster list -n butler-tenants")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "No clusters found in namespace butler-tenants.\n",
    });
    expect(
      (
        JSON.parse((await harness.run("cluster list -n butler-tenants -o json")).stdout) as {
          items: unknown[];
        }
      ).items,
    ).toEqual([]);
    await harness.cluster.client.delete(TenantCluster, { name: "blue", namespace: "search" });
    expect(await harness.run("cluster get nowhere")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('cluster "nowhere" not found') as string,
    });
  });

  it("writes the kubeconfig to standard output, to a file, or into another kubeconfig", async () => {
    expect(await harness.run("cluster kubeconfig blue")).toMatchObject({
      code: 6,
      stdout: "",
      stderr: expect.stringContaining("blue has no kubeconfig yet") as string,
    });
    await harness.cluster.createNamespace("blue-inside");
    await harness.reportCluster("blue", {
      tenantNamespace: "blue-inside",
      kubeconfigSecretRef: { name: "blue-kubeconfig" },
    });
    expect(await harness.run("cluster kubeconfig blue")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("Secret blue-inside/blue-kubeconfig") as string,
    });
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "a",
      contexts: [{ name: "a", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "https://10.40.1.100:6443", "certificate-authority-data": "Y2E=" } }],
      users: [{ name: "u", user: { token: "secret-token" } }],
    };
    const secret = (content: unknown) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "blue-kubeconfig", namespace: "blue-inside" },
      data: { value: Buffer.from(JSON.stringify(content)).toString("base64") },
    });
    await harness.cluster.client.create(builtinKinds.Secret, secret(config));
    const printed = await harness.run("cluster kubeconfig blue");
    expect(parse(printed.stdout)).toMatchObject({
      "current-context": "payments/blue",
      users: [{ name: "payments/blue-admin", user: { token: "secret-token" } }],
    });

    const file = harness.file("blue.kubeconfig");
    expect((await harness.run(`cluster kubeconfig blue --output ${file}`)).code).toBe(0);
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
    await writeFile(file, "mine");
    expect(await harness.run(`cluster kubeconfig blue --output ${file}`)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("nothing was written") as string,
    });
    expect(await readFile(file, "utf8")).toBe("mine");

    const merged = harness.file("config");
    await writeFile(merged, "# mine\napiVersion: v1\nkind: Config\ncurrent-context: home\ncontexts: []\n");
    await chmod(merged, 0o644);
    const line = `cluster kubeconfig blue --merge --kubeconfig ${harness.kubeconfig}`;
    expect((await harness.run(line, { kubeconfig: merged })).stderr).toContain(
      "kubectl config use-context payments/blue",
    );
    const text = await readFile(merged, "utf8");
    expect(text).toContain("# mine");
    expect(parse(text)).toMatchObject({ "current-context": "home", contexts: [{ name: "payments/blue" }] });
    expect(((await stat(merged)).mode & 0o777).toString(8)).toBe("600");

    await harness.cluster.client.delete(builtinKinds.Secret, { name: "blue-kubeconfig", namespace: "blue-inside" });
    const evil = {
      ...config,
      users: [{ name: "u", user: { exec: { command: "sh", apiVersion: "client.authentication.k8s.io/v1" } } }],
    };
    await harness.cluster.client.create(builtinKinds.Secret, secret(evil));
    expect(await harness.run("cluster kubeconfig blue")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("invalid kubeconfig: exec is not allowed") as string,
    });
  });

  it("explains why a machine is not deleted, down to the finalizer", async () => {
    const { client } = harness.cluster;
    const namespace = "blue-inside";
    const name = "blue-workers-x7k2p";
    await harness.create(MachineDeployment, { name: "blue-workers", namespace }, { spec: { replicas: 5 } });
    await harness.create(LocalMachine, { name, namespace, finalizers: ["example.com/hold"] }, { spec: {} });
    const infrastructureRef = { apiGroup: LocalMachine.group, kind: "LocalMachine", name };
    const machineSpec = { clusterName: "blue", bootstrap: {}, infrastructureRef };
    await harness.create(Machine, { name, namespace, finalizers: ["machine.cluster.x-k8s.io"] }, { spec: machineSpec });
    await client.patch(
      TenantCluster,
      { name: "blue", namespace: "payments" },
      { type: "merge", patch: { metadata: { finalizers: ["butler.butlerlabs.dev/tenantcluster"] } } },
    );
    await client.delete(TenantCluster, { name: "blue", namespace: "payments" });
    await client.delete(Machine, { name, namespace });
    await client.delete(LocalMachine, { name, namespace });
    const found = await harness.run("cluster why blue");
    expect(found).toMatchObject({ code: 0, stderr: "" });
    expect(found.stdout).toContain(
      "Deletion of worker machine blue-workers-x7k2p in cluster blue is waiting for LocalMachine blue-workers-x7k2p, which has been terminating for",
    );
    expect(found.stdout).toContain("blocked by finalizer example.com/hold");
    expect(found.stdout).toContain("\n        └ LocalMachine blue-inside/blue-workers-x7k2p: Terminating for");
    const { cause, chain } = JSON.parse((await harness.run("cluster why blue -o json")).stdout) as {
      cause: string;
      chain: string[];
    };
    expect({ cause, length: chain.length }).toEqual({ cause: "MachineStuckDeleting", length: 4 });
    const described = await harness.run("cluster describe blue");
    expect(described.stdout).toMatch(/^Name: +blue\nNamespace: +payments\n/);
    expect(described.stdout).toContain(
      "Machines:\n  NAME                PHASE     VERSION  NODE  AGE\n  blue-workers-x7k2p  Deleting           -",
    );
  });

  it("omits what the user cannot read, and says so", async () => {
    const kubeconfig = harness.file("stranger");
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "stranger", namespace: "payments" } };
    await harness.cluster.client.create(builtinKinds.ServiceAccount, account);
    const { status } = await harness.cluster.transport.json<{ status: { token: string } }>({
      method: "POST",
      path: "/api/v1/namespaces/payments/serviceaccounts/stranger/token",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
      action: "ask for a token",
    });
    const own = parse(await readFile(harness.kubeconfig, "utf8")) as { users: { user: unknown }[] };
    const [user] = own.users;
    await writeFile(kubeconfig, JSON.stringify({ ...own, users: [{ ...user, user: { token: status.token } }] }));
    const asStranger = (line: string) => harness.run(line, { kubeconfig });
    expect(await asStranger("cluster list")).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringContaining(
        "you don't have permission to list clusters in all namespaces\nSpecify your team with --team",
      ) as string,
    });
    expect(await asStranger("cluster get blue")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("you don't have permission to search all namespaces") as string,
    });
    const rules = [
      { apiGroups: [TenantCluster.group], resources: ["tenantclusters"], verbs: ["get", "list", "watch"] },
    ];
    const subjects = [{ kind: "ServiceAccount", name: "stranger", namespace: "payments" }];
    const viewer = { name: "viewer", namespace: "payments" };
    await harness.create(builtinKinds.Role, viewer, { rules });
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "viewer" };
    await harness.create(builtinKinds.RoleBinding, viewer, { roleRef, subjects });
    const seen = await eventually(async () => {
      const found = await asStranger("cluster why blue --team payments");
      return found.code === 0 && found;
    });
    expect(seen.stdout).toContain("(permission denied)");
    // An earlier test deletes blue, which is a reason of its own to refuse.
    expect(await harness.run(createBlue.replace("blue", "green"))).toMatchObject({ code: 0 });
    expect(await asStranger("cluster scale green --team payments --workers 9")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("scaling green was rejected:\n  you cannot patch resource") as string,
    });
  });
});
