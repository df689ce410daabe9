import { Unavailable } from "@butler/std";
import { planFrozen } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { plan } from "./plan.ts";
import { aControlPlane, type ControlPlaneTraits } from "./testing/objects.ts";
import { ControlPlaneModel } from "./testing/control-plane-model.ts";

const model = (traits: ControlPlaneTraits = {}) => new ControlPlaneModel(aControlPlane(traits));
const user = "tenant-0f0e5e0a-0000-4000-8000-000000000001";

describe("the creation of a control plane", () => {
  it("needs three passes until its pods start, and writes each object once", async () => {
    const played = model({ deployment: { replicas: 2 } });
    const records = await played.settle();
    expect(records.map(({ plan: decided }) => decided.effects?.map(({ type }) => type))).toEqual([
      ["makeSecrets"],
      ["makeSecrets"],
      [],
      [],
    ]);
    expect(records.flatMap(({ written }) => written)).toEqual([
      "Service blue",
      "NetworkPolicy blue",
      "ConfigMap blue-authentication-configuration",
      "Deployment blue",
      "PodDisruptionBudget blue",
    ]);
    expect([...played.secrets.keys()].sort()).toEqual([
      "blue-admin-kubeconfig",
      "blue-api-server-certificate",
      "blue-api-server-kubelet-client-certificate",
      "blue-ca",
      "blue-controller-manager-kubeconfig",
      "blue-datastore-certificate",
      "blue-front-proxy-ca-certificate",
      "blue-front-proxy-client-certificate",
      "blue-sa-certificate",
      "blue-scheduler-kubeconfig",
    ]);
    expect(played.storeCalls).toEqual([`ensure shared ${user}`]);
    expect(played.phase).toBe("Provisioning");
  });

  it("writes its status at most four times until it is ready", async () => {
    const played = model({ deployment: { replicas: 2 }, serviceType: "LoadBalancer" });
    const records = await played.settle();
    expect(played.condition("EndpointReady")).toMatchObject({ status: "False", reason: "WaitingForLoadBalancer" });
    expect(played.deployment).toBeUndefined();
    played.balance("203.0.113.9");
    records.push(...(await played.settle()));
    played.bringUpPods(1);
    records.push(...(await played.settle()));
    expect(played.condition("Available")).toMatchObject({ status: "True" });
    expect(played.condition("Ready")).toMatchObject({ status: "False", reason: "RollingOut" });
    expect(played.phase).toBe("Provisioning");
    played.bringUpPods(2);
    records.push(...(await played.settle()));
    expect(played.condition("Ready")).toMatchObject({ status: "True" });
    expect(played.phase).toBe("Ready");
    expect(played.tcp.status?.controlPlaneEndpoint).toBe("203.0.113.9:6443");
    expect(played.tcp.status?.kubernetesResources?.version?.version).toBe("v1.36.3");
    expect(records.filter(({ isStatusWritten }) => isStatusWritten)).toHaveLength(4);
    expect(played.keepCalls).toHaveLength(1);
  });

  it("lists every certificate with its expiry", async () => {
    const played = model();
    await played.settleRunning();
    const { certificates, kubeconfig, storage } = played.tcp.status ?? {};
    const ends = { ...certificates, ...kubeconfig, dataStore: storage?.certificate };
    expect(Object.fromEntries(Object.entries(ends).map(([name, entry]) => [name, entry?.notAfter]))).toEqual({
      ca: "2036-05-29T12:00:00Z",
      frontProxyCA: "2036-05-29T12:00:00Z",
      sa: undefined,
      etcd: undefined,
      apiServer: "2027-06-01T12:00:00Z",
      apiServerKubeletClient: "2027-06-01T12:00:00Z",
      frontProxyClient: "2027-06-01T12:00:00Z",
      admin: "2027-06-01T12:00:00Z",
      controllerManager: "2027-06-01T12:00:00Z",
      scheduler: "2027-06-01T12:00:00Z",
      dataStore: "2027-06-01T12:00:00Z",
    });
  });

  it("waits for its DataStore, and sets no finalizer for a missing one", async () => {
    const played = model();
    played.store = { name: "shared" };
    const records = await played.settle();
    expect(played.condition("DataStoreReady")).toMatchObject({ status: "False", reason: "DataStoreMissing" });
    expect(records.at(-1)?.plan.finalizer).toBe("none");
    expect(played.deployment).toBeUndefined();
    played.store = model().store;
    expect((await played.settle()).at(-1)?.plan.finalizer).toBe("hold");
    expect(played.deployment).toBeDefined();
  });

  it("reports an unavailable store, keeps its state, and continues once it recovers", async () => {
    const played = model();
    played.storeFailure = new Unavailable("etcd at 10.0.0.9:2379 does not answer");
    const { isStatusWritten } = await played.pass();
    expect(isStatusWritten).toBe(true);
    expect(played.condition("Ready")).toMatchObject({ reason: "EffectFailed" });
    expect(played.condition("Ready")?.message).toContain("does not answer");
    expect(played.secrets.has("blue-ca")).toBe(true);
    expect(played.secrets.has("blue-datastore-certificate")).toBe(false);
    const ca = played.secret("ca").data;
    await played.pass();
    expect(played.condition("DataStoreReady")).toMatchObject({ status: "False", reason: "SettingUp" });
    expect(played.deployment).toBeUndefined();
    played.storeFailure = undefined;
    await played.settleRunning();
    expect(played.condition("Ready")).toMatchObject({ status: "True" });
    expect(played.secret("ca").data).toEqual(ca);
  });

  it("repeats the condition of the DataStore", async () => {
    const played = model();
    played.store = {
      name: "shared",
      found: { driver: "etcd", endpoints: ["x:1"], blocker: { reason: "Full", message: "no space" } },
    };
    await played.settle();
    expect(played.condition("DataStoreReady")).toMatchObject({ reason: "Full", message: "DataStore shared: no space" });
  });

  it.each<[string, ControlPlaneTraits, string]>([
    ["a version that is too new", { version: "v1.37.0" }, "spec.kubernetes.version: v1.37.0 is not supported"],
    ["a chosen name in the store", { spec: { dataStoreSchema: "mine" } }, "spec.dataStoreSchema: is derived"],
    [
      "a protected flag",
      { deployment: { extraArgs: { apiServer: ["--etcd-prefix=/butler"] } } },
      "--etcd-prefix of kube-apiserver is managed by Steward",
    ],
  ])("does nothing for one with %s that got past admission", async (_what, traits, message) => {
    const played = model(traits);
    const [record] = await played.settle();
    expect(record?.plan.apply).toBeUndefined();
    expect(record?.plan.effects).toBeUndefined();
    expect(played.condition("Ready")).toMatchObject({ status: "False", reason: "InvalidSpec" });
    expect(played.condition("Ready")?.message).toContain(message);
  });

  it("does not use a host of an older control plane", async () => {
    const played = model({ controlPlane: { ingress: { hostname: "blue.example.com" } } });
    played.hostConflict = "The hostname blue.example.com belongs to another.";
    await played.settle();
    expect(played.condition("EndpointReady")).toMatchObject({ status: "False", reason: "HostnameTaken" });
    expect([...played.objects.keys()]).toEqual(["Service blue"]);
  });

  it("reports its Ingress or gateway", async () => {
    const played = model({ controlPlane: { ingress: { hostname: "blue.example.com" } } });
    await played.settleRunning();
    expect(played.objects.has("Ingress blue")).toBe(true);
    expect(played.tcp.status?.kubernetesResources?.ingress).toEqual({ name: "blue", namespace: "tenants" });
    expect(played.tcp.status?.controlPlaneEndpoint).toBe("blue.example.com:443");
    played.change((spec) => ({ ...spec, controlPlane: { ...spec.controlPlane, ingress: undefined } }));
    const [record] = await played.settle();
    expect(record?.plan.remove?.map(({ kind, name }) => `${kind.kind} ${name}`)).toContain("Ingress blue");
  });

  it("reports a kind that the cluster does not serve", async () => {
    const gateway = { hostname: "blue.example.com", parentRefs: [{ name: "edge" }] };
    const played = model({ controlPlane: { gateway } });
    await played.settle();
    expect(played.condition("EndpointReady")).toMatchObject({ status: "False", reason: "KindNotServed" });
  });

  it("does not modify its input and is deterministic", () => {
    const played = model();
    const trial = { plan, observed: played.observed, now: played.now, settle: () => played.observed };
    expect(() => planFrozen(trial, played.observed)).not.toThrow();
  });
});

describe("a dedicated store", () => {
  const dedicated = { members: 1, storage: { size: "1Gi" } };
  const found = { driver: "etcd", endpoints: ["blue-etcd-0.blue-etcd.tenants.svc:2379"], dedicated };
  const starting = { reason: "EtcdStarting", message: "0 of 1" };

  it("starts first, and needs no etcd user", async () => {
    const played = model();
    played.store = { name: "own", found: { ...found, blocker: starting } };
    await played.settle();
    expect([...played.objects.keys()]).toEqual([
      "Service blue",
      "Service blue-etcd",
      "NetworkPolicy blue-etcd",
      "StatefulSet blue-etcd",
    ]);
    expect([...played.secrets.keys()].filter((name) => name.includes("etcd")).sort()).toEqual([
      "blue-etcd-ca",
      "blue-etcd-peer",
      "blue-etcd-peer-ca",
      "blue-etcd-root",
      "blue-etcd-server",
    ]);
    expect(played.condition("DataStoreReady")).toMatchObject({ reason: "EtcdStarting" });
    played.store = { name: "own", found };
    await played.settleRunning();
    expect(played.storeCalls).toEqual([]);
    expect(played.condition("Ready")).toMatchObject({ status: "True" });
    expect(Object.keys(played.tcp.status?.certificates?.etcd ?? {})).toHaveLength(5);
  });

  it("keeps the pods while it is temporarily unhealthy", async () => {
    const played = model();
    played.store = { name: "own", found };
    await played.settleRunning();
    const written = played.objects.get("Deployment blue");
    played.store = { name: "own", found: { ...found, blocker: starting } };
    await played.settle();
    expect(played.objects.get("Deployment blue")).toBe(written);
  });

  it("is deleted with the control plane", async () => {
    const played = model();
    played.store = { name: "own" };
    played.hasOwnEtcd = true;
    played.delete();
    expect((await played.pass()).plan.finalizer).toBe("release");
  });
});
