import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { IPAllocation } from "@butler/api";
import { programFile } from "@butler/cli-kit/testing";
import { isConditionTrue } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hear } from "./lib/answering-service.ts";
import { talkativePod } from "./lib/cluster-objects.ts";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import { TenantClusters } from "./lib/tenant-clusters.ts";

const minutes = 60_000;
const example = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const team = "demo-team";

let platform: EngineWithButler;
let clusters: TenantClusters;
let directory: string;
/** The namespace of the cluster's own objects. */
let own: string;

interface Why {
  readonly sentence: string;
  readonly cause: string;
}

const execute = promisify(execFile);
const source = fileURLToPath(new URL("../../apps/butlerctl/src/main.ts", import.meta.url));
const program = programFile("butlerctl", source);

/** Runs butlerctl and returns its output. */
async function butlerctl(...args: string[]): Promise<string> {
  const { kubeconfig } = platform.engine.paths;
  return (await execute(process.execPath, [program, "--kubeconfig", kubeconfig, ...args])).stdout;
}

/** The claims with allocated addresses. */
async function claimed(): Promise<IPAllocation[]> {
  const text = await platform.kubectl.run("get", "ipallocations", "-n", "butler-system", "-o", "json");
  const { items } = JSON.parse(text) as { items: IPAllocation[] };
  return items.filter(({ status }) => status?.phase === "Allocated");
}

const patchSystem = (kind: string, spec: object): Promise<string> =>
  platform.kubectl.run("patch", kind, "local", "-n", "butler-system", "--type=merge", "-p", JSON.stringify({ spec }));

const listed = async (kinds: string, path = "{.items[*].metadata.name}"): Promise<string[]> =>
  (await platform.kubectl.run("get", kinds, "-n", own, "-o", `jsonpath=${path}`)).split(" ").filter(Boolean);

describe.runIf(canHostEngine)("a tenant cluster", { timeout: 6 * minutes }, () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "butler-tenant-"));
    platform = await EngineWithButler.shared("platform");
    clusters = new TenantClusters(platform.kubectl, { namespace: team, directory });
  }, 5 * minutes);

  afterAll(async () => {
    await patchSystem("networkpool", { quarantine: null });
    await platform?.leave();
    await rm(directory, { recursive: true, force: true });
  }, 3 * minutes);

  it("is created from one object, with real nodes", async () => {
    await platform.kubectl.run("apply", "-f", example("platform.yaml"));
    await platform.kubectl.run("wait", `team/${team}`, "--for=condition=Ready", "--timeout=60s");
    const startedAt = performance.now();
    await platform.kubectl.run("apply", "-f", example("tenant-cluster.yaml"));
    const { status } = await clusters.settled("demo");
    console.log(`ready after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    expect(status).toMatchObject({ phase: "Ready", workerNodesReady: 2 });
    expect(status?.steps?.every(({ finishedAt }) => finishedAt !== undefined)).toBe(true);
    own = status?.tenantNamespace ?? "";
    const nodes = await (await clusters.inside("demo")).run("get", "nodes", "-o", "jsonpath={.items[*].metadata.name}");
    expect(nodes.split(" ").sort()).toEqual(status?.observedState?.workers?.nodes);
  });

  it("runs pods behind a Service", async () => {
    const inside = await clusters.inside("demo");
    const [node = ""] = (await clusters.get("demo")).status?.observedState?.workers?.nodes ?? [];
    await inside.apply([talkativePod("one", node)]);
    await inside.run("wait", "pod/one", "--for=condition=Ready", "--timeout=120s");
    await inside.run("wait", "deployment/coredns", "-n", "kube-system", "--for=condition=Available", "--timeout=120s");
    await inside.run("expose", "pod", "one", "--port=80", "--target-port=8080");
    const ask = "exec 3<>/dev/tcp/one.default.svc.cluster.local/80; /usr/bin/head -n1 <&3";
    expect(await eventually(() => inside.run("exec", "one", "--", "/usr/bin/bash", "-c", ask))).toMatch(/^one hears/);
  });

  it("assigns reachable addresses of its own to load balancers, and adds and removes addresses on demand", async () => {
    const inside = await clusters.inside("demo");
    const network = { loadBalancer: { shrinkAfter: "5s" } };
    await patchSystem("providerconfig", { network });
    await patchSystem("networkpool", { quarantine: "5s" });
    const addressOf = (name: string): Promise<string> =>
      inside.run("get", "service", name, "-o", "jsonpath={.status.loadBalancer.ingress[0].ip}");
    const names = ["lb-1", "lb-2", "lb-3"];
    for (const name of names) {
      const ports = ["--port=80", "--target-port=8080", "--type=LoadBalancer"];
      await inside.run("expose", "pod", "one", `--name=${name}`, ...ports);
    }
    const given = await Promise.all(
      names.map((name) => eventually(() => addressOf(name), { timeoutMs: minutes, what: `the address of ${name}` })),
    );
    expect(new Set(given).size).toBe(3);
    expect((await claimed()).flatMap(({ status }) => status?.addresses ?? [])).toEqual(expect.arrayContaining(given));
    for (const address of given) expect(await eventually(() => hear(address, 80))).toMatch(/^one hears/);
    expect(await claimed()).toHaveLength(2);
    await inside.run("delete", "services", "lb-2", "lb-3");
    await eventually(async () => (await claimed()).length === 1, { timeoutMs: minutes, what: "the end of the growth" });
    expect(await hear(given[0] ?? "", 80)).toMatch(/^one hears/);
    expect(await addressOf("lb-1")).toBe(given[0]);
  });

  it("is denied what exceeds the quota of its team, with the reason", async () => {
    const wish = ["cluster", "create", "large", "--team", team, "--workers", "30"];
    await expect(butlerctl(...wish)).rejects.toThrow(/maxTotalNodes is 20, 2 in use, 30 more requested/);
    await expect(clusters.patch("demo", { workers: { replicas: 21 } })).rejects.toThrow(/maxTotalNodes is 20/);
  });

  it("shows its objects to its team, and its kubeconfig to admins only", async () => {
    const may = (verb: string, what: string, as: string): Promise<string> =>
      platform.kubectl.run("auth", "can-i", verb, what, "-n", own, "--as", as).catch(() => "no");
    expect(await may("list", "machines.cluster.x-k8s.io", "ada@example.com")).toBe("yes");
    expect(await may("get", "secrets/demo-kubeconfig", "ada@example.com")).toBe("yes");
    expect(await may("get", "secrets/demo-ca", "ada@example.com")).toBe("no");
    const asOperator = ["--as", "olga@example.com", "--as-group", `butler:team:${team}:operator`];
    const mayOperator = (verb: string, what: string): Promise<string> =>
      platform.kubectl.run("auth", "can-i", verb, what, "-n", own, ...asOperator).catch(() => "no");
    expect(await mayOperator("list", "machines.cluster.x-k8s.io")).toBe("yes");
    expect(await mayOperator("get", "secrets/demo-kubeconfig")).toBe("no");
    expect(await may("list", "secrets", "ada@example.com")).toBe("no");
    expect(await may("list", "machines.cluster.x-k8s.io", "eve@example.com")).toBe("no");
  });

  it("scales up to 4 and down to 1", async () => {
    await butlerctl("cluster", "scale", "demo", "-n", team, "--workers", "4");
    expect((await clusters.settled("demo")).status?.workerNodesReady).toBe(4);
    expect((await clusters.change("demo", { workers: { replicas: 1 } })).status?.workerNodesReady).toBe(1);
    await eventually(async () => (await listed("machines")).length === 1, { timeoutMs: minutes });
  });

  it("replaces its machines with larger ones, and deletes the old template", async () => {
    const before = await listed("machines");
    await clusters.change("demo", { workers: { machineTemplate: { memory: "3Gi" } } });
    expect(await listed("localmachines", "{.items[*].spec.memory}")).toEqual(["3Gi"]);
    expect(before.filter((name) => !name.startsWith("demo-workers"))).toEqual([]);
    await eventually(async () => (await listed("localmachinetemplates")).length === 1, { timeoutMs: minutes });
    expect(await listed("machines")).not.toEqual(before);
  });

  it("gets a second pool with its own labels and taints, which can be removed", async () => {
    const taints = [{ key: "example.com/gpu", effect: "NoSchedule" }];
    const pool = { name: "gpu", replicas: 1, labels: { "example.com/pool": "gpu" }, taints };
    await clusters.change("demo", { workerPools: [pool] });
    const inside = await clusters.inside("demo");
    const path = "jsonpath={.items[*].spec.taints[?(@.key=='example.com/gpu')].effect}";
    expect(await inside.run("get", "nodes", "-l", "example.com/pool=gpu", "-o", path)).toBe("NoSchedule");
    await clusters.change("demo", { workerPools: null });
    await eventually(async () => (await listed("machinedeployments")).join(" ") === "demo-workers", {
      timeoutMs: minutes,
    });
  });

  it("is repaired when a part of it is changed or deleted", async () => {
    await platform.kubectl.run("delete", "machinedeployment", "demo-workers", "-n", own, "--wait=false");
    const patch = ["--type=merge", "-p", '{"spec":{"addons":{"kubeProxy":{"conntrackMaxPerCore":7}}}}'];
    await platform.kubectl.run("patch", "stcp", "demo", "-n", own, ...patch);
    const limit = (): Promise<string[]> => listed("stcp", "{.items[*].spec.addons.kubeProxy.conntrackMaxPerCore}");
    await eventually(async () => (await limit())[0] === "0", { timeoutMs: minutes });
    await eventually(async () => (await clusters.get("demo")).status?.phase === "Updating", { timeoutMs: minutes });
    expect((await clusters.settled("demo")).status?.workerNodesReady).toBe(1);
  });

  it("reports what its deletion waits for, and is deleted completely", async () => {
    const [machine = ""] = await listed("machines");
    const hold = (finalizers: string): Promise<string> =>
      platform.kubectl.run("patch", "machine", machine, "-n", own, "--type=json", "-p", finalizers);
    await hold('[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/hold"}]');
    await platform.kubectl.run("delete", "tenantcluster", "demo", "-n", team, "--wait=false");
    const waiting = await eventually(
      async () => {
        const { conditions } = (await clusters.get("demo")).status ?? {};
        return conditions?.find(({ type, message }) => type === "WorkersRemoved" && message.includes(machine));
      },
      { timeoutMs: minutes, intervalMs: 250 },
    );
    expect(waiting.status).toBe("False");
    // Its pod is still terminating at first, which is the reported reason.
    const { sentence } = await eventually(
      async () => {
        const why = JSON.parse(await butlerctl("cluster", "why", "demo", "-n", team, "-o", "json")) as Why;
        return why.cause === "MachineStuckDeleting" ? why : undefined;
      },
      { timeoutMs: minutes, intervalMs: 250, what: "the reason for the machine that does not go" },
    );
    expect(sentence).toContain(machine);
    expect(sentence).toContain("example.com/hold");
    expect(isConditionTrue((await clusters.get("demo")).status?.conditions, "AddonsRemoved")).toBe(true);
    const finalizers = await listed("machines", "{.items[0].metadata.finalizers[*]}");
    await hold(`[{"op":"remove","path":"/metadata/finalizers/${finalizers.indexOf("example.com/hold")}"}]`);
    await platform.kubectl.run("wait", "tenantcluster/demo", "-n", team, "--for=delete", "--timeout=120s");
    const namespaces = await platform.kubectl.run("get", "namespaces", "-o", "jsonpath={.items[*].metadata.name}");
    expect(namespaces.split(" ")).not.toContain(own);
    const free = async (): Promise<boolean> => {
      const counts = "{.status.allocatedIPs} {.status.quarantinedIPs} {.status.allocationCount}";
      const pool = ["get", "networkpool", "local", "-n", "butler-system", "-o", `jsonpath=${counts}`];
      return (await platform.kubectl.run(...pool)) === "0 0 0";
    };
    await eventually(free, { timeoutMs: minutes, what: "the return of all addresses" });
    const used = await platform.kubectl.run("get", "datastore", "default", "-o", "jsonpath={.status.usedBy}");
    expect(["", "[]"]).toContain(used);
  });
});
