import { clusterNameLabel, clusterSecretType } from "@butler/api-external";
import { Unavailable } from "@butler/std";
import { planFrozen } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { abandonDataStoreAnnotation, pausedAnnotation, rotateAnnotation } from "./names.ts";
import { plan } from "./plan.ts";
import type { SecretId } from "./secrets/secret-names.ts";
import { encodeData, textIn } from "./secrets/secret-data.ts";
import { aControlPlane, type ControlPlaneTraits } from "./testing/objects.ts";
import { PlayedWorld } from "./testing/played-world.ts";

const world = (traits: ControlPlaneTraits = {}) => new PlayedWorld(aControlPlane(traits));
const user = "tenant-0f0e5e0a-0000-4000-8000-000000000001";

describe("a control plane that comes to be", () => {
  it("needs three passes until its pods start, and writes each object once", async () => {
    const played = world({ deployment: { replicas: 2 } });
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

  it("tells its status at most four times until it is ready, pod by pod", async () => {
    const played = world({ deployment: { replicas: 2 }, serviceType: "LoadBalancer" });
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

  it("lists every certificate with its end", async () => {
    const played = world();
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

  it("waits for its DataStore, and does not hold on to one that never was", async () => {
    const played = world();
    played.store = { name: "shared" };
    const records = await played.settle();
    expect(played.condition("DataStoreReady")).toMatchObject({ status: "False", reason: "DataStoreMissing" });
    expect(records.at(-1)?.plan.finalizer).toBe("none");
    expect(played.deployment).toBeUndefined();
    played.store = world().store;
    expect((await played.settle()).at(-1)?.plan.finalizer).toBe("hold");
    expect(played.deployment).toBeDefined();
  });

  it("says that its store does not answer, keeps what it has, and goes on when it does", async () => {
    const played = world();
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

  it("repeats what the DataStore says about itself", async () => {
    const played = world();
    played.store = {
      name: "shared",
      found: { driver: "etcd", endpoints: ["x:1"], trouble: { reason: "Full", message: "no space" } },
    };
    await played.settle();
    expect(played.condition("DataStoreReady")).toMatchObject({ reason: "Full", message: "DataStore shared: no space" });
  });

  it.each<[string, ControlPlaneTraits, string]>([
    ["a version that is too new", { version: "v1.37.0" }, "spec.kubernetes.version: v1.37.0 is not supported"],
    [
      "a name in the store of its own choice",
      { spec: { dataStoreSchema: "mine" } },
      "spec.dataStoreSchema: is derived",
    ],
    [
      "a flag that is Steward's",
      { deployment: { extraArgs: { apiServer: ["--etcd-prefix=/butler"] } } },
      "--etcd-prefix of kube-apiserver is set by Steward",
    ],
  ])("does nothing for one with %s that got past admission", async (_what, traits, message) => {
    const played = world(traits);
    const [record] = await played.settle();
    expect(record?.plan.apply).toBeUndefined();
    expect(record?.plan.effects).toBeUndefined();
    expect(played.condition("Ready")).toMatchObject({ status: "False", reason: "InvalidSpec" });
    expect(played.condition("Ready")?.message).toContain(message);
  });

  it("stays away from a host that an older one has", async () => {
    const played = world({ controlPlane: { ingress: { hostname: "blue.example.com" } } });
    played.hostConflict = "The hostname blue.example.com belongs to another.";
    await played.settle();
    expect(played.condition("EndpointReady")).toMatchObject({ status: "False", reason: "HostnameTaken" });
    expect([...played.objects.keys()]).toEqual(["Service blue"]);
  });

  it("says which kind the cluster does not serve", async () => {
    const gateway = { hostname: "blue.example.com", parentRefs: [{ name: "edge" }] };
    const played = world({ controlPlane: { gateway } });
    await played.settle();
    expect(played.condition("EndpointReady")).toMatchObject({ status: "False", reason: "KindNotServed" });
  });

  it("changes nothing that it is given and decides the same twice", () => {
    const played = world();
    const trial = { plan, observed: played.observed, now: played.now, settle: () => played.observed };
    expect(() => planFrozen(trial, played.observed)).not.toThrow();
  });
});

describe("what is put right", () => {
  const others = (id: SecretId): SecretId[] =>
    (["ca", "sa", "apiServer", "scheduler", "admin", "dataStore"] as const).filter((other) => other !== id);

  it.each<SecretId>([
    "apiServer",
    "scheduler",
    "controllerManager",
    "frontProxyClient",
    "apiServerKubeletClient",
    "admin",
    "dataStore",
  ])("a Secret that was deleted: %s", async (id) => {
    const played = world();
    await played.settleRunning();
    const before = new Map(played.secrets);
    played.remove(id);
    await played.settleRunning();
    expect(played.secret(id).data).not.toEqual(before.get(played.secret(id).name)?.data);
    for (const other of others(id)) expect(played.secret(other)).toBe(before.get(played.secret(other).name));
    expect(played.condition("Ready")).toMatchObject({ status: "True" });
  });

  it.each<[SecretId, Record<string, string>]>([
    ["apiServer", { "apiserver.crt": "rubbish" }],
    ["apiServer", { "apiserver.key": "rubbish" }],
    ["admin", { "admin.conf": "server: https://evil.example.com" }],
    ["scheduler", { "scheduler.conf": "" }],
    ["dataStore", { "ca.crt": "rubbish" }],
  ])("a Secret that was edited: %s %j", async (id, data) => {
    const played = world();
    await played.settleRunning();
    played.edit(id, { data: { ...played.secret(id).data, ...encodeData(data) } });
    await played.settleRunning();
    for (const [key, text] of Object.entries(data)) expect(textIn(played.secret(id).data, key)).not.toBe(text);
    expect(played.condition("Ready")).toMatchObject({ status: "True" });
  });

  it("copies of an authority, without a new authority", async () => {
    const played = world();
    await played.settleRunning();
    const ca = textIn(played.secret("ca").data, "ca.crt");
    const pods = played.podAnnotations;
    played.edit("ca", { data: { ...played.secret("ca").data, ...encodeData({ "tls.crt": "rubbish" }) } });
    await played.settleRunning();
    expect(textIn(played.secret("ca").data, "ca.crt")).toBe(ca);
    expect(textIn(played.secret("ca").data, "tls.crt")).toBe(ca);
    expect(played.podAnnotations).toEqual(pods);
  });

  it("the marks by which Cluster API finds the authority, without a new authority", async () => {
    const tcp = aControlPlane();
    const labels = { ...tcp.metadata.labels, [clusterNameLabel]: "blue" };
    const played = new PlayedWorld({ ...tcp, metadata: { ...tcp.metadata, labels } });
    await played.settleRunning();
    const { type, data } = played.secret("ca");
    expect(type).toBe(clusterSecretType);
    expect(played.secret("ca").labels).toMatchObject({ [clusterNameLabel]: "blue" });
    played.edit("ca", { labels: { ...played.secret("ca").labels, [clusterNameLabel]: "green" } });
    await played.settleRunning();
    expect(played.secret("ca").labels).toMatchObject({ [clusterNameLabel]: "blue" });
    expect(played.secret("ca").data).toEqual(data);
  });

  it("the public half of a signing key, without a new key", async () => {
    const played = world();
    await played.settleRunning();
    const key = textIn(played.secret("sa").data, "sa.key");
    played.edit("sa", { data: { ...played.secret("sa").data, ...encodeData({ "sa.pub": "rubbish" }) } });
    await played.settleRunning();
    expect(textIn(played.secret("sa").data, "sa.key")).toBe(key);
  });

  it("an authority that is gone, and everything that it signed", async () => {
    const played = world();
    await played.settleRunning();
    const before = new Map(played.secrets);
    played.remove("ca");
    await played.settle();
    expect(played.phase).toBe("CertificateAuthorityRotating");
    for (const id of ["apiServer", "admin", "scheduler", "controllerManager", "apiServerKubeletClient"] as const) {
      expect(played.secret(id).data).not.toEqual(before.get(played.secret(id).name)?.data);
    }
    for (const id of ["sa", "frontProxyCA", "frontProxyClient", "dataStore"] as const) {
      expect(played.secret(id)).toBe(before.get(played.secret(id).name));
    }
    played.bringUpPods();
    await played.settle();
    expect(played.phase).toBe("Ready");
  });

  it("a Deployment that is gone", async () => {
    const played = world();
    await played.settleRunning();
    played.deployment = undefined;
    played.objects.delete("Deployment blue");
    await played.settle();
    expect(played.deployment).toBeDefined();
    expect(played.phase).toBe("NotReady");
  });

  it("leaves alone a Secret of somebody else, and says so", async () => {
    const played = world();
    await played.settleRunning();
    const { owner } = played.secret("apiServer");
    played.edit("apiServer", { owner: { ...owner, uid: "another" } });
    await played.settle();
    expect(played.condition("CertificatesReady")).toMatchObject({ status: "False", reason: "SecretNameTaken" });
  });
});

describe("certificates", () => {
  it("are renewed after two thirds of their life, and looked at just then", async () => {
    const played = world();
    await played.settleRunning();
    const before = new Map(played.secrets);
    const day = 86_400_000;
    played.now = new Date(played.now.getTime() + 243 * day);
    const [record] = await played.settle();
    // Counted from five minutes before they were made, because clocks differ.
    expect(record?.plan.requeueAfterMs).toBeLessThan(day);
    expect(record?.plan.requeueAfterMs).toBeGreaterThan(0);
    expect(new Map(played.secrets)).toEqual(before);
    played.now = new Date(played.now.getTime() + (record?.plan.requeueAfterMs ?? 0));
    await played.settleRunning();
    for (const [name, { data }] of played.secrets) {
      const isKept = /-ca$|-ca-certificate$|-sa-certificate$/.test(name);
      if (isKept) expect(data).toEqual(before.get(name)?.data);
      else expect(data).not.toEqual(before.get(name)?.data);
    }
    expect(played.tcp.status?.certificates?.apiServer?.notAfter).toMatch(/^2028-01-30T/);
    expect(played.phase).toBe("Ready");
  });

  it.each<SecretId>(["apiServer", "admin", "sa", "ca", "dataStore", "frontProxyCA"])(
    "are made anew when asked for, once: %s",
    async (id) => {
      const played = world();
      await played.settleRunning();
      const { data } = played.secret(id);
      played.edit(id, { annotations: { ...played.secret(id).annotations, [rotateAnnotation]: "" } });
      await played.settleRunning();
      expect(played.secret(id).data).not.toEqual(data);
      expect(played.secret(id).annotations[rotateAnnotation]).toBe("2026-06-01T12:00:00Z");
      expect(played.condition("Ready")).toMatchObject({ status: "True" });
      expect(played.phase).toBe("Ready");
    },
  );

  it("replace the pods in one go, and only when what pods read has changed", async () => {
    const played = world();
    await played.settleRunning();
    const before = played.podAnnotations;
    for (const id of ["apiServer", "scheduler", "sa"] as const) {
      played.edit(id, { annotations: { ...played.secret(id).annotations, [rotateAnnotation]: "" } });
    }
    const records = await played.settle();
    expect(records.flatMap(({ written }) => written)).toEqual(["Deployment blue"]);
    const changed = Object.keys(before).filter((name) => before[name] !== played.podAnnotations[name]);
    expect(changed.map((name) => name.replace(/.*\//, "")).sort()).toEqual([
      "api-server-certificate",
      "sa-certificate",
      "scheduler-kubeconfig",
    ]);
    played.bringUpPods();
    await played.settle();
    played.edit("admin", { annotations: { [rotateAnnotation]: "" } });
    expect((await played.settle()).flatMap(({ written }) => written)).toEqual([]);
  });

  it("are for the names by which the API server is reached now", async () => {
    const played = world();
    await played.settleRunning();
    const { data } = played.secret("apiServer");
    played.change((spec) => ({ ...spec, networkProfile: { ...spec.networkProfile, certSANs: ["api.example.com"] } }));
    await played.settleRunning();
    expect(played.secret("apiServer").data).not.toEqual(data);
  });
});

describe("another version", () => {
  it("shows as an upgrade until all pods have it", async () => {
    const played = world({ version: "v1.35.4", deployment: { replicas: 2 } });
    await played.settleRunning();
    played.change((spec) => ({ ...spec, kubernetes: { ...spec.kubernetes, version: "v1.36.3" } }));
    await played.settle();
    expect(played.phase).toBe("Upgrading");
    expect(played.tcp.status?.kubernetesResources?.version?.version).toBe("v1.35.4");
    expect(played.condition("Available")).toMatchObject({ status: "True" });
    played.bringUpPods();
    await played.settle();
    expect(played.phase).toBe("Ready");
    expect(played.tcp.status?.kubernetesResources?.version?.version).toBe("v1.36.3");
    expect(played.tcp.status?.observedGeneration).toBe(2);
  });

  it("is installed at once while the control plane sleeps", async () => {
    const played = world({ version: "1.35.4" });
    await played.settleRunning();
    played.change((spec) => ({
      ...spec,
      controlPlane: { ...spec.controlPlane, deployment: { ...spec.controlPlane.deployment, replicas: 0 } },
      kubernetes: { ...spec.kubernetes, version: "v1.36.3" },
    }));
    await played.settle();
    expect(played.phase).toBe("Sleeping");
    expect(played.keepCalls.at(-1)).toMatch(/^forget/);
    played.bringUpPods(0);
    await played.settle();
    expect(played.tcp.status?.kubernetesResources?.version).toEqual({ version: "v1.36.3", status: "Sleeping" });
    expect(played.condition("Available")).toMatchObject({ status: "False", reason: "Sleeping" });
  });
});

describe("a store of its own", () => {
  const dedicated = { members: 1, storage: { size: "1Gi" } };
  const found = { driver: "etcd", endpoints: ["blue-etcd-0.blue-etcd.tenants.svc:2379"], dedicated };
  const starting = { reason: "EtcdStarting", message: "0 of 1" };

  it("comes up first, and needs no user in it", async () => {
    const played = world();
    played.store = { name: "own", found: { ...found, trouble: starting } };
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

  it("does not take the pods away when it is not well for a while", async () => {
    const played = world();
    played.store = { name: "own", found };
    await played.settleRunning();
    const written = played.objects.get("Deployment blue");
    played.store = { name: "own", found: { ...found, trouble: starting } };
    await played.settle();
    expect(played.objects.get("Deployment blue")).toBe(written);
  });

  it("goes with it", async () => {
    const played = world();
    played.store = { name: "own" };
    played.hasOwnEtcd = true;
    played.delete();
    expect((await played.pass()).plan.finalizer).toBe("release");
  });
});

describe("the end of a control plane", () => {
  it("leaves nothing in the store", async () => {
    const played = world();
    await played.settleRunning();
    played.delete();
    const finalizers = [];
    for (let count = 0; count < 3; count++) finalizers.push((await played.pass()).plan.finalizer);
    expect(finalizers).toEqual(["hold", "hold", "release"]);
    expect(played.storeCalls.at(-1)).toBe(`remove shared ${user}`);
    expect(played.keepCalls.at(-1)).toMatch(/^forget/);
  });

  it("comes at any moment of its beginning", async () => {
    const played = world();
    await played.pass();
    played.delete();
    expect((await played.pass()).plan.effects?.map(({ type }) => type)).toEqual(["removeFromStore"]);
    expect((await played.pass()).plan.finalizer).toBe("release");
  });

  it("waits for a store that does not answer, and says what can be done", async () => {
    const played = world();
    await played.settleRunning();
    played.delete();
    await played.pass();
    played.storeFailure = new Unavailable("etcd does not answer");
    await played.pass();
    expect(played.condition("Ready")?.message).toContain(`${abandonDataStoreAnnotation}=true`);
    expect((await played.pass()).plan.finalizer).toBe("hold");
    expect(played.condition("Deleting")).toMatchObject({ status: "True", reason: "RemovingData" });
    played.storeFailure = undefined;
    await played.pass();
    expect((await played.pass()).plan.finalizer).toBe("release");
  });

  it("is not held up by a store that somebody gave up", async () => {
    const played = world();
    await played.settleRunning();
    played.store = { name: "shared" };
    played.delete();
    await played.pass();
    expect((await played.pass()).plan.finalizer).toBe("hold");
    expect(played.condition("Deleting")).toMatchObject({ status: "True", reason: "DataStoreGone" });
    played.annotate({ [abandonDataStoreAnnotation]: "true" });
    expect((await played.pass()).plan.finalizer).toBe("release");
  });
});

describe("a control plane that is paused", () => {
  it("is left as it is, and says so", async () => {
    const played = world();
    await played.settleRunning();
    played.annotate({ [pausedAnnotation]: "" });
    played.remove("apiServer");
    const { plan: decided } = await played.pass();
    expect(decided).toMatchObject({ finalizer: "none" });
    expect(decided.effects).toBeUndefined();
    expect(played.condition("Paused")).toMatchObject({ status: "True" });
    expect(played.condition("Ready")).toMatchObject({ status: "True" });
    played.annotate({});
    await played.settle();
    expect(played.condition("Paused")).toBeUndefined();
    expect(played.secret("apiServer")).toBeDefined();
  });
});
