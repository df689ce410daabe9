import { DataStore, TenantControlPlane } from "@butler/api";
import { type AdmissionRequest, judgeAdmission, type KubeClient } from "@butler/kube";
import { describe, expect, it } from "vitest";
import { aControlPlane, aDataStore, type ControlPlaneTraits } from "../testing/objects.ts";
import { defaultSpec } from "./default-spec.ts";
import { tenantControlPlaneAdmission } from "./handlers.ts";
import { validateChange, validateSpec } from "./validate.ts";

const wrong = (traits: ControlPlaneTraits): string[] =>
  validateSpec(aControlPlane(traits)).map(({ path, message }) => `${path}: ${message}`);

describe("a control plane by itself", () => {
  it("is well as it comes", () => {
    expect(wrong({})).toEqual([]);
  });

  it.each<[string, ControlPlaneTraits, string]>([
    [
      "too old",
      { version: "v1.29.0" },
      "spec.kubernetes.version: v1.29.0 is not supported; choose a version from v1.30 to v1.36",
    ],
    [
      "too new",
      { version: "v1.37.0" },
      "spec.kubernetes.version: v1.37.0 is not supported; choose a version from v1.30 to v1.36",
    ],
    [
      "of another age",
      { version: "v2.0.0" },
      "spec.kubernetes.version: v2.0.0 is not supported; choose a version from v1.30 to v1.36",
    ],
    [
      "with a plug-in that is gone",
      { spec: { kubernetes: { version: "v1.36.3", kubelet: {}, admissionControllers: ["PodSecurityPolicy"] } } },
      "spec.kubernetes.admissionControllers[0]: PodSecurityPolicy does not exist in Kubernetes v1.36.3; leave it out",
    ],
    [
      "short of life",
      { spec: { certificates: { lifetime: "59s" } } },
      "spec.certificates.lifetime: must be at least 1m",
    ],
    [
      "with an authority that ends first",
      { spec: { certificates: { lifetime: "48h", authorityLifetime: "24h" } } },
      "spec.certificates.authorityLifetime: must not be shorter than certificates.lifetime: nothing outlives the one who signed it",
    ],
    [
      "with a protected flag",
      { deployment: { extraArgs: { scheduler: ["--v=2", "--kubeconfig=/x"] } } },
      "spec.controlPlane.deployment.extraArgs.scheduler[1]: --kubeconfig of kube-scheduler is set by Steward and cannot be given; leave it out",
    ],
    [
      "with a flag that is a field",
      { deployment: { extraArgs: { apiServer: ["--secure-port=1"] } } },
      "spec.controlPlane.deployment.extraArgs.apiServer[0]: --secure-port of kube-apiserver is set by Steward and cannot be given; set networkProfile.port instead",
    ],
    [
      "with a container of Steward's name",
      { deployment: { additionalContainers: [{ name: "kube-scheduler" }] } },
      'spec.controlPlane.deployment.additionalContainers[0].name: "kube-scheduler" is Steward\'s own; choose another',
    ],
    [
      "with two containers of one name",
      { deployment: { additionalInitContainers: [{ name: "a" }], additionalContainers: [{ name: "a" }] } },
      'spec.controlPlane.deployment.additionalContainers[0].name: "a" occurs twice; choose another',
    ],
    [
      "with a volume of Steward's name",
      { deployment: { additionalVolumes: [{ name: "etc-kubernetes-pki", emptyDir: {} }] } },
      'spec.controlPlane.deployment.additionalVolumes[0].name: "etc-kubernetes-pki" is Steward\'s own; choose another',
    ],
    [
      "with a folder of the node",
      { deployment: { additionalVolumes: [{ name: "etc", hostPath: { path: "/etc" } }] } },
      "spec.controlPlane.deployment.additionalVolumes[0].hostPath: is a folder of the node, which no control plane may use",
    ],
    [
      "with a privileged container",
      { deployment: { additionalContainers: [{ name: "a", securityContext: { privileged: true } }] } },
      "spec.controlPlane.deployment.additionalContainers[0].securityContext.privileged: would give the container its whole node",
    ],
    [
      "with another's keys",
      {
        deployment: { additionalVolumes: [{ name: "a", projected: { sources: [{ secret: { name: "green-ca" } }] } }] },
      },
      "spec.controlPlane.deployment.additionalVolumes[0]: names Secret green-ca, which belongs to another control plane",
    ],
    [
      "with another's keys in a variable",
      {
        deployment: {
          additionalContainers: [
            {
              name: "a",
              env: [{ name: "X", valueFrom: { secretKeyRef: { name: "blue-2-admin-kubeconfig", key: "k" } } }],
            },
          ],
        },
      },
      "spec.controlPlane.deployment.additionalContainers[0]: names Secret blue-2-admin-kubeconfig, which belongs to another control plane",
    ],
    [
      "with a mount over Steward's",
      { deployment: { additionalVolumeMounts: { apiServer: [{ name: "x", mountPath: "/etc/kubernetes/pki/etcd" }] } } },
      'spec.controlPlane.deployment.additionalVolumeMounts.apiServer[0].mountPath: "/etc/kubernetes/pki/etcd" meets a folder of Steward\'s; choose another',
    ],
    [
      "with a mount above Steward's",
      { deployment: { additionalVolumeMounts: { scheduler: [{ name: "x", mountPath: "/etc/" }] } } },
      'spec.controlPlane.deployment.additionalVolumeMounts.scheduler[0].mountPath: "/etc/" meets a folder of Steward\'s; choose another',
    ],
    [
      "with a port that a node does not have",
      { serviceType: "NodePort" },
      "spec.networkProfile.port: is 6443 and, with serviceType NodePort, must lie between 30000 and 32767",
    ],
  ])("is refused when it is %s", (_what, traits, message) => {
    expect(wrong(traits)).toEqual([message]);
  });

  it("is refused when its kubelets' settings lead nowhere", () => {
    const configurationJSONPatches = [{ op: "remove" as const, path: "/nothing" }];
    const kubernetes = { version: "v1.36.3", kubelet: { configurationJSONPatches } };
    expect(wrong({ spec: { kubernetes } })).toHaveLength(1);
  });
});

describe("a change of a control plane", () => {
  const installed = (version: string) => ({
    status: { kubernetesResources: { version: { version, status: "Ready" as const } } },
  });

  it.each([
    ["v1.35.4", "v1.36.3", undefined],
    ["v1.36.3", "v1.36.1", undefined],
    ["v1.36.1", "v1.36.3", undefined],
    ["1.36.1", "v1.36.1", undefined],
    ["v1.34.1", "v1.36.3", "cannot go from v1.34.1 to v1.36.3 at once; v1.35 comes next"],
    ["v1.36.3", "v1.35.4", "cannot go back from v1.36.3 to v1.35.4; a minor version is never taken back"],
    ["v1.36.3", "v1.37.0", "v1.37.0 is not supported; choose a version from v1.30 to v1.36"],
  ])("from %s to %s: %s", (from, to, fault) => {
    const denials = validateChange(aControlPlane({ version: from }), aControlPlane({ version: to }));
    expect(denials.map(({ message }) => message)).toEqual(fault === undefined ? [] : [fault]);
  });

  it("counts from the version that runs while an upgrade is under way", () => {
    const before = aControlPlane({ version: "v1.35.4", ...installed("v1.34.2") });
    const [denial] = validateChange(before, aControlPlane({ version: "v1.36.0" }));
    expect(denial?.message).toBe("cannot go from v1.34.2 to v1.36.0 at once; v1.35 comes next");
  });

  it.each<[string, ControlPlaneTraits]>([
    ["spec.dataStore", { spec: { dataStore: "other" } }],
    ["spec.networkProfile.serviceCidr", { spec: { networkProfile: { serviceCidr: "10.97.0.0/16" } } }],
    ["spec.networkProfile.podCidr", { spec: { networkProfile: { podCidr: "10.245.0.0/16" } } }],
  ])("of %s is refused", (path, traits) => {
    expect(validateChange(aControlPlane(), aControlPlane(traits)).map((denial) => denial.path)).toEqual([path]);
  });
});

describe("what is decided once", () => {
  it("is the store and the place of DNS", () => {
    const { spec } = defaultSpec(aControlPlane({ spec: { dataStore: "" } }), "default");
    expect(spec.dataStore).toBe("default");
    expect(spec.networkProfile.dnsServiceIPs).toEqual(["10.96.0.10"]);
  });

  it("knows the other kind of addresses", () => {
    const networkProfile = { serviceCidr: "fd00:10::/112", podCidr: "fd00:20::/64" };
    expect(defaultSpec(aControlPlane({ spec: { networkProfile } }), "x").spec.networkProfile.dnsServiceIPs).toEqual([
      "fd00:10::10",
    ]);
  });

  it("leaves alone what the user says", () => {
    const tcp = aControlPlane({ spec: { networkProfile: { dnsServiceIPs: ["10.96.0.53"] } } });
    expect(defaultSpec(tcp, "default")).toEqual(tcp);
  });
});

describe("admission", () => {
  const stored = [
    aControlPlane({
      metadata: { name: "green", uid: "2", creationTimestamp: "2026-01-01T00:00:00Z" },
      controlPlane: { ingress: { hostname: "green.example.com" } },
    }),
  ];
  const client = {
    find: (kind: { kind: string }, { name }: { name: string }) =>
      Promise.resolve(kind.kind === DataStore.kind && name === "shared" ? aDataStore() : undefined),
    list: () => Promise.resolve({ items: stored, resourceVersion: "1", continueToken: undefined }),
  } as unknown as Pick<KubeClient, "find" | "list">;
  const [mutate, validate] = tenantControlPlaneAdmission({ client });
  const never = new AbortController().signal;

  function request(object: TenantControlPlane, oldObject?: TenantControlPlane): AdmissionRequest {
    return {
      uid: "1",
      kind: TenantControlPlane,
      subResource: undefined,
      name: object.metadata.name,
      namespace: object.metadata.namespace,
      operation: oldObject === undefined ? "CREATE" : "UPDATE",
      userInfo: { username: "", uid: "", groups: [] },
      object,
      oldObject,
      dryRun: false,
    } as unknown as AdmissionRequest;
  }
  const judged = async (object: TenantControlPlane, oldObject?: TenantControlPlane) => {
    if (validate === undefined) throw new Error("there is no validating handler");
    return judgeAdmission(validate, request(object, oldObject), never);
  };

  it("lets a good one in", async () => {
    expect(await judged(aControlPlane())).toEqual({ uid: "1", allowed: true });
  });

  it("fills in defaults on creation only", async () => {
    if (mutate === undefined) throw new Error("there is no mutating handler");
    const tcp = aControlPlane();
    const { patch = "" } = await judgeAdmission(mutate, request(tcp), never);
    expect(JSON.parse(Buffer.from(patch, "base64").toString())).toEqual([
      { op: "add", path: "/spec/networkProfile/dnsServiceIPs", value: ["10.96.0.10"] },
    ]);
    expect((await judgeAdmission(mutate, request(tcp, tcp), never)).patch).toBeUndefined();
  });

  it.each<[string, ControlPlaneTraits, string]>([
    ["a store that does not exist", { spec: { dataStore: "none" } }, "spec.dataStore: there is no DataStore none"],
    [
      "a schema of its own choice",
      { spec: { dataStoreSchema: "a_b_c" } },
      "spec.dataStoreSchema: is derived from the uid",
    ],
    ["another's user", { spec: { dataStoreUsername: "root" } }, "spec.dataStoreUsername: is derived from the uid"],
    [
      "another's host",
      { controlPlane: { ingress: { hostname: "green.example.com" } } },
      "spec.controlPlane.ingress.hostname: The hostname green.example.com belongs to the control plane tenants/green",
    ],
  ])("refuses %s", async (_what, traits, message) => {
    const { allowed, status } = await judged(aControlPlane(traits));
    expect(allowed).toBe(false);
    expect(status?.message).toContain(message);
  });

  it("accepts the names that are derived anyway, once they can be known", async () => {
    const own = "tenant-0f0e5e0a-0000-4000-8000-000000000001";
    const before = aControlPlane();
    const after = aControlPlane({ spec: { dataStoreSchema: own, dataStoreUsername: own } });
    expect((await judged(after, before)).allowed).toBe(true);
  });

  it("does not keep anybody from deleting or labelling what it would refuse", async () => {
    const bad = aControlPlane({ version: "v1.20.0" });
    expect((await judged(bad)).allowed).toBe(false);
    const labelled = { ...bad, metadata: { ...bad.metadata, labels: { a: "b" } } };
    expect((await judged(labelled, bad)).allowed).toBe(true);
    const deleted = { ...bad, metadata: { ...bad.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect((await judged({ ...deleted, spec: aControlPlane({ version: "v1.19.0" }).spec }, bad)).allowed).toBe(true);
  });

  it("warns of what has no effect yet", async () => {
    const { warnings } = await judged(aControlPlane({ spec: { addons: { konnectivity: {} } } }));
    expect(warnings).toEqual(["spec.addons.konnectivity has no effect yet"]);
  });
});
