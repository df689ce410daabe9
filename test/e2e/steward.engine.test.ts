import type { EtcdAdmin } from "@butler/etcd";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import type { HostedControlPlanes } from "./lib/hosted-control-planes.ts";
import { memoryOf, middleAndLargest } from "./lib/process-memory.ts";
import { SharedStore } from "./lib/shared-store.ts";

const minutes = 60_000;

let platform: EngineWithButler;

beforeAll(async () => {
  if (!canHostEngine) return;
  platform = await EngineWithButler.shared("platform");
}, 5 * minutes);

afterAll(() => platform?.leave(), 3 * minutes);

describe.runIf(canHostEngine)("ten control planes on one etcd", { timeout: 6 * minutes }, () => {
  const names = Array.from({ length: 10 }, (_, at) => `tenant-${at}`);
  const inEach = <T>(work: (name: string) => Promise<T>): Promise<T[]> => Promise.all(names.map(work));
  let tenants: HostedControlPlanes;
  let store: SharedStore;
  let root: EtcdAdmin;
  let prefixes: readonly string[];
  let users: readonly string[];

  beforeAll(async () => {
    tenants = await platform.controlPlanesIn("ten");
    store = await SharedStore.open(platform.kubectl);
    root = await store.asRoot();
  });

  afterAll(() => store?.close());

  it("become ready together", async () => {
    const startedAt = performance.now();
    await tenants.apply(...names.map((name) => ({ name })));
    const applyMs = performance.now() - startedAt;
    const times = (await tenants.ready(...names)).map((ms) => ms + applyMs);
    const seconds = middleAndLargest(times.map((ms) => Math.round(ms / 100) / 10));
    const programs = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];
    const sizes = await Promise.all(programs.map((program) => memoryOf(program, platform.engine.name)));
    const memory = programs.map((program, at) => `${program} ${middleAndLargest(sizes[at] ?? [])}`);
    console.log(`ten at once, seconds to Ready: ${seconds}; MiB of memory: ${memory.join("; ")}`);
    expect(sizes[0]).toHaveLength(names.length);
  });

  it("each serve their own administrator, and contain only their own objects", async () => {
    const text = (name: string): string => `only ${name} has this`;
    const seen: string[] = [];
    for (const name of names) {
      const tenant = await tenants.kubectlOf(name);
      await tenant.run("create", "configmap", "mine", `--from-literal=text=${text(name)}`);
    }
    for (const name of names) {
      const tenant = await tenants.kubectlOf(name);
      const named = ["-A", "--field-selector=metadata.name=mine"];
      seen.push(await tenant.run("get", "configmaps", ...named, "-o", "jsonpath={.items[*].data.text}"));
    }
    expect(seen).toEqual(names.map(text));
  });

  it("store their keys under their own prefixes", async () => {
    const setups = await inEach(async (name) => (await tenants.get(name)).status?.storage?.setup);
    prefixes = setups.map((setup) => setup?.schema ?? "");
    users = setups.map((setup) => setup?.user ?? "");
    expect(new Set(prefixes).size).toBe(names.length);
    // Keys change all the time, so the two counts are not from the same moment; a key outside would make them differ
    // permanently.
    const counts = await eventually(async () => {
      const [total, ...own] = await Promise.all(["", ...prefixes].map((prefix) => root.countKeys(prefix)));
      return total === own.reduce((sum, count) => sum + count, 0) && own;
    });
    expect(Math.min(...counts)).toBeGreaterThan(50);
    expect((await root.listUsers()).toSorted()).toEqual(["root", ...users].toSorted());
  });

  it("cannot read each other's keys with their certificates", async () => {
    const [own = "", ...others] = prefixes;
    const tenant = await store.asTenant(tenants, names[0] ?? "");
    expect(await tenant.countKeys(own)).toBeGreaterThan(50);
    for (const prefix of [...others, "", "/butler/", own.slice(0, -1)]) {
      await expect(tenant.countKeys(prefix)).rejects.toThrow(/permission denied/i);
    }
  });

  it("are deleted completely", async () => {
    const startedAt = performance.now();
    const { namespace, kubectl } = tenants;
    await kubectl.run("delete", "tenantcontrolplanes", "--all", "-n", namespace, "--timeout=240s");
    const owned = "pods,secrets,deployments,replicasets,services,endpointslices,poddisruptionbudgets,networkpolicies";
    await eventually(async () => (await kubectl.names(owned, namespace)).length === 0, {
      timeoutMs: 2 * minutes,
      intervalMs: 500,
      what: "the end of everything that belonged to the control planes",
    });
    console.log(`ten gone after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    expect(await root.countKeys("")).toBe(0);
    expect(await root.listUsers()).toEqual(["root"]);
    expect(await root.listRoles()).toEqual(["root"]);
  });
});

describe.runIf(canHostEngine)("a control plane is reached", { timeout: 6 * minutes }, () => {
  const hostname = "sni.k8s.example.com";
  // In the part of the node port range that the API server assigns only on request.
  const nodePort = 30_043;
  let tenants: HostedControlPlanes;
  let nodeAddress: string;

  const addressOfService = (name: string, path: string, namespace = tenants.namespace): Promise<string> =>
    platform.kubectl.run("get", "service", name, "-n", namespace, "-o", `jsonpath={${path}}`);
  const balancer = ".status.loadBalancer.ingress[0].ip";

  const endpointOf = async (name: string): Promise<string | undefined> =>
    (await tenants.get(name)).status?.controlPlaneEndpoint;

  const readiness = async (name: string, ...flags: string[]): Promise<string> =>
    (await tenants.kubectlOf(name)).run(...flags, "get", "--raw", "/readyz");

  beforeAll(async () => {
    tenants = await platform.controlPlanesIn("reach");
    nodeAddress = await platform.nodeAddress();
    await tenants.apply(
      { name: "balanced", serviceType: "LoadBalancer" },
      { name: "node", serviceType: "NodePort", networkProfile: { address: nodeAddress, port: nodePort } },
      { name: "inside", serviceType: "ClusterIP" },
      { name: "named", serviceType: "ClusterIP", hostname },
    );
    await tenants.ready("balanced", "node", "inside", "named");
  }, 6 * minutes);

  it("by the address of a load balancer", async () => {
    expect(await endpointOf("balanced")).toBe(`${await addressOfService("balanced", balancer)}:6443`);
    expect(await readiness("balanced")).toBe("ok");
  });

  it("by a port of the nodes", async () => {
    expect(await endpointOf("node")).toBe(`${nodeAddress}:${nodePort}`);
    expect(await readiness("node")).toBe("ok");
  });

  it("by the address of its Service", async () => {
    expect(await endpointOf("inside")).toBe(`${await addressOfService("inside", ".spec.clusterIP")}:6443`);
    expect(await readiness("inside")).toBe("ok");
  });

  it("by its name, through the one address of the SNI gateway", async () => {
    expect(await endpointOf("named")).toBe(`${hostname}:6443`);
    const gateway = await addressOfService("butler-sni-gateway", balancer, "butler-system");
    // The name is not resolvable here; kubectl still verifies the certificate against it.
    const through = (name: string): string[] => [`--server=https://${gateway}:6443`, `--tls-server-name=${name}`];
    expect(await readiness("named", ...through(hostname))).toBe("ok");
    await expect(readiness("named", ...through("other.k8s.example.com"))).rejects.toThrow(/tls: unrecognized name/);
    await expect(readiness("inside", ...through(hostname))).rejects.toThrow(/certificate signed by unknown authority/);
  });
});
