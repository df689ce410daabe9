import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { allResources } from "@butler/api";
import { installClusterApiInEngine, type LocalEngine } from "@butler/engine";
import { connect, installCrds, loadKubeConfig } from "@butler/kube";
import { localProviderClusterApiAccess } from "@butler/provider-local";
import { clusterApiAccess } from "@butler/steward";
import { canHostEngine, eventually, sharedEngine } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterObjects, privilegedPod, talkativePod, tenantVersion } from "./lib/cluster-objects.ts";
import { KubectlCalls } from "./lib/kubectl-calls.ts";
import { type PlainControlPlane, startPlainControlPlane } from "./lib/plain-control-plane.ts";

const butlerMain = fileURLToPath(new URL("../../apps/butler/src/main.ts", import.meta.url));
const namespace = "tenants";
const name = "blue";
const minutes = 60_000;

let engine: LocalEngine;
let management: KubectlCalls;
let tenant: KubectlCalls;
let controlPlane: PlainControlPlane | undefined;
let provider: ChildProcess | undefined;

async function startProvider(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [butlerMain, "local-provider", "--kubeconfig", engine.paths.kubeconfig], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(child, "spawn");
  return child;
}

const readyNodes = async (): Promise<string[]> =>
  (await tenant.run("get", "nodes", "--no-headers"))
    .split("\n")
    .filter((line) => / Ready /.test(line))
    .map((line) => line.split(" ")[0] ?? "");

async function nodesReady(count: number): Promise<string[]> {
  await eventually(async () => (await readyNodes()).length === count, {
    timeoutMs: 3 * minutes,
    intervalMs: 250,
    what: `${count} ready nodes`,
  });
  const readiness = [
    "get",
    "machines",
    "-n",
    namespace,
    "-o",
    "jsonpath={.items[*].status.conditions[?(@.type=='Ready')].status}",
  ];
  const wanted = Array.from({ length: count }, () => "True").join(" ");
  await eventually(async () => (await management.run(...readiness)) === wanted, {
    timeoutMs: 2 * minutes,
    intervalMs: 250,
    what: `${count} ready Machines`,
  });
  return readyNodes();
}

/** The block devices of this machine, as `major minor`. */
async function blockDevices(): Promise<string[]> {
  const names = await readdir("/sys/class/block");
  const numbers = await Promise.all(names.map((each) => readFile(`/sys/class/block/${each}/dev`, "utf8")));
  return numbers.map((text) => text.trim().replace(":", " "));
}

/** Prints the block devices that are visible, then the result of opening each of those that the host has. */
const openDevices = (devices: readonly string[]): string =>
  [
    'for each in /dev/* /dev/*/*; do [ ! -b "$each" ] || echo "visible: $each"; done',
    ...devices.map((numbers, at) => `mknod /disk-${at} b ${numbers} && head -c 1 /disk-${at} 2>&1; rm -f /disk-${at}`),
  ].join("; ");

describe.runIf(canHostEngine)("machines that are pods", { timeout: 5 * minutes }, () => {
  beforeAll(async () => {
    engine = await sharedEngine("bare");
    management = new KubectlCalls(engine.paths.kubeconfig);
    await engine.provideImages(["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd", "butler-node"]);
    const { client, close } = connect(loadKubeConfig(engine.paths.kubeconfig));
    await Promise.all([installClusterApiInEngine(engine), installCrds(client, allResources)]);
    await close();
    await management.apply([
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
      ...clusterApiAccess,
      ...localProviderClusterApiAccess,
    ]);
    provider = await startProvider();
  }, 5 * minutes);

  afterAll(async () => {
    provider?.kill();
    await controlPlane?.remove();
    await management?.run("delete", "namespace", namespace, "--timeout=60s");
  }, 2 * minutes);

  it("join a second control plane by kubeadm and become ready", async () => {
    controlPlane = await startPlainControlPlane({
      name,
      namespace,
      version: tenantVersion,
      apply: (objects) => management.apply(objects),
      kubectl: (...args) => management.run(...args),
    });
    tenant = new KubectlCalls(controlPlane.kubeconfig);
    const { host, port } = controlPlane;
    const { cluster, controlPlaneStatus, workers } = clusterObjects({ name, namespace, host, port, replicas: 2 });
    await management.apply(cluster);
    // Stands in for a control-plane provider, which would report that the API server responds.
    await management.run(
      "patch",
      "stewardcontrolplane",
      name,
      "-n",
      namespace,
      "--subresource=status",
      "--type=merge",
      "-p",
      JSON.stringify({ status: controlPlaneStatus }),
    );
    await management.apply(workers);
    const nodes = await nodesReady(2);
    expect(new Set(nodes).size).toBe(2);
    await management.run("wait", "cluster", name, "-n", namespace, "--for=condition=Available", "--timeout=120s");
    const versions = await tenant.run("get", "nodes", "-o", "jsonpath={.items[*].status.nodeInfo.kubeletVersion}");
    expect(versions).toBe(`${tenantVersion} ${tenantVersion}`);
  });

  it("run pods that reach each other, by address and by name, from node to node", async () => {
    const [first = "", second = ""] = await readyNodes();
    await tenant.apply([talkativePod("one", first), talkativePod("two", second)]);
    await tenant.run("wait", "pod", "one", "two", "--for=condition=Ready", "--timeout=120s");
    await tenant.run("wait", "deployment/coredns", "-n", "kube-system", "--for=condition=Available", "--timeout=120s");
    await tenant.run("expose", "pod", "two", "--port=80", "--target-port=8080");
    const address = await tenant.run("get", "pod", "two", "-o", "jsonpath={.status.podIP}");
    const ask = (from: string, target: string): Promise<string> =>
      tenant.run("exec", from, "--", "/usr/bin/bash", "-c", `exec 3<>/dev/tcp/${target}; /usr/bin/head -n1 <&3`);
    const own = await tenant.run("get", "pod", "one", "-o", "jsonpath={.status.podIP}");
    expect(await ask("one", `${address}/8080`)).toBe(`two hears ${own}`);
    expect(await eventually(() => ask("one", "two.default.svc.cluster.local/80"))).toBe(`two hears ${own}`);
  });

  it("70: neither see nor open a disk of their host, not even in privileged pods", async () => {
    const [node = ""] = await readyNodes();
    await tenant.apply([privilegedPod("prober", node)]);
    await tenant.run("wait", "pod", "prober", "--for=condition=Ready", "--timeout=120s");
    const devices = await blockDevices();
    expect(devices).not.toEqual([]);
    const script = openDevices(devices);
    const [machine = ""] = await management.names("pods", namespace, "component=local-machine");
    for (const printed of [
      await tenant.run("exec", "prober", "--", "/usr/bin/bash", "-c", script),
      await management.run("exec", "-n", namespace, machine, "--", "/bin/bash", "-c", script),
    ]) {
      const lines = printed.split("\n").filter((line) => line !== "");
      expect(lines).toHaveLength(devices.length);
      expect(lines).toEqual(devices.map(() => expect.stringContaining("Operation not permitted")));
    }
  });

  it.each([3, 1])("follow the MachineDeployment to %i", async (replicas) => {
    await management.run("scale", "machinedeployment", `${name}-workers`, "-n", namespace, `--replicas=${replicas}`);
    await nodesReady(replicas);
    await eventually(
      async () => (await management.names("pods", namespace, "component=local-machine")).length === replicas,
      {
        timeoutMs: minutes,
        what: `${replicas} pods of machines`,
      },
    );
    expect((await tenant.run("get", "nodes", "-o", "name")).split("\n")).toHaveLength(replicas);
  });

  it("are removed completely when the cluster is deleted", async () => {
    await management.run("delete", "cluster", name, "-n", namespace, "--timeout=120s");
    const kinds =
      "localmachines,localclusters,localmachinetemplates,machines,machinesets,kubeadmconfigs,kubeadmconfigtemplates";
    expect(await management.names(kinds, namespace)).toEqual([]);
    const ours = await management.names("pods,secrets", namespace, "component=local-machine");
    expect(ours).toEqual([]);
  });
});
