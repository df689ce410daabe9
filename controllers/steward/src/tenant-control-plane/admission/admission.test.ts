import { DataStore, TenantControlPlane } from "@butler/api";
import { type AdmissionRequest, judgeAdmission, type KubeClient } from "@butler/kube";
import { describe, expect, it } from "vitest";
import { aControlPlane, aDataStore, type ControlPlaneTraits } from "../testing/objects.ts";
import { defaultSpec } from "./default-spec.ts";
import { tenantControlPlaneAdmission } from "./handlers.ts";
import { validateChange, validateSpec } from "./validate.ts";

const wrong = (traits: ControlPlaneTraits): string[] =>
  validateSpec(aControlPlane(traits)).map(({ path, message }) => `${path}: ${message}`);

describe("validateSpec", () => {
  it("accepts a valid control plane", () => {
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
      "of another major version",
      { version: "v2.0.0" },
      "spec.kubernetes.version: v2.0.0 is not supported; choose a version from v1.30 to v1.36",
    ],
    [
      "with a removed plug-in",
      { spec: { kubernetes: { version: "v1.36.3", kubelet: {}, admissionControllers: ["PodSecurityPolicy"] } } },
      "spec.kubernetes.admissionControllers[0]: PodSecurityPolicy is not available in Kubernetes v1.36.3; remove it",
    ],
    ["short-lived", { spec: { certificates: { lifetime: "59s" } } }, "spec.certificates.lifetime: must be at least 1m"],
    [
      "with a CA that expires first",
      { spec: { certificates: { lifetime: "48h", authorityLifetime: "24h" } } },
      "spec.certificates.authorityLifetime: must not be shorter than certificates.lifetime: a certificate cannot outlive its CA",
    ],
    [
      "with a protected flag",
      { deployment: { extraArgs: { scheduler: ["--v=2", "--kubeconfig=/x"] } } },
      "spec.controlPlane.deployment.extraArgs.scheduler[1]: --kubeconfig of kube-scheduler is managed by Steward and cannot be overridden; remove it",
    ],
    [
      "with a flag that has a field",
      { deployment: { extraArgs: { apiServer: ["--secure-port=1"] } } },
      "spec.controlPlane.deployment.extraArgs.apiServer[0]: --secure-port of kube-apiserver is managed by Steward and cannot be overridden; set networkProfile.port instead",
    ],
    [
      "with a reserved container name",
      { deployment: { additionalContainers: [{ name: "kube-scheduler" }] } },
      'spec.controlPlane.deployment.additionalContainers[0].name: "kube-scheduler" is reserved for Steward; choose another name',
    ],
    [
      "with two containers of one name",
      { deployment: { additionalInitContainers: [{ name: "a" }], additionalContainers: [{ name: "a" }] } },
      'spec.controlPlane.deployment.additionalContainers[0].name: "a" is a duplicate; choose another name',
    ],
    [
      "with a reserved volume name",
      { deployment: { additionalVolumes: [{ name: "etc-kubernetes-pki", emptyDir: {} }] } },
      'spec.controlPlane.deployment.additionalVolumes[0].name: "etc-kubernetes-pki" is reserved for Steward; choose another name',
    ],
    [
      "with a hostPath volume",
      { deployment: { additionalVolumes: [{ name: "etc", hostPath: { path: "/etc" } }] } },
      "spec.controlPlane.deployment.additionalVolumes[0].hostPath: is not allowed: control planes cannot mount directories from the node",
    ],
    [
      "with a privileged container",
      { deployment: { additionalContainers: [{ name: "a", securityContext: { privileged: true } }] } },
      "spec.controlPlane.deployment.additionalContainers[0].securityContext.privileged: must not be true: a privileged container has full access to its node",
    ],
    [
      "with the keys of another control plane",
      {
        deployment: { additionalVolumes: [{ name: "a", projected: { sources: [{ secret: { name: "green-ca" } }] } }] },
      },
      "spec.controlPlane.deployment.additionalVolumes[0]: references Secret green-ca, which belongs to another control plane",
    ],
    [
      "with the keys of another control plane in a variable",
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
      "spec.controlPlane.deployment.additionalContainers[0]: references Secret blue-2-admin-kubeconfig, which belongs to another control plane",
    ],
    [
      "with a mount inside a directory of Steward",
      { deployment: { additionalVolumeMounts: { apiServer: [{ name: "x", mountPath: "/etc/kubernetes/pki/etcd" }] } } },
      'spec.controlPlane.deployment.additionalVolumeMounts.apiServer[0].mountPath: "/etc/kubernetes/pki/etcd" overlaps a directory used by Steward; choose another path',
    ],
    [
      "with a mount above a directory of Steward",
      { deployment: { additionalVolumeMounts: { scheduler: [{ name: "x", mountPath: "/etc/" }] } } },
      'spec.controlPlane.deployment.additionalVolumeMounts.scheduler[0].mountPath: "/etc/" overlaps a directory used by Steward; choose another path',
    ],
    [
      "with a port outside the node port range",
      { serviceType: "NodePort" },
      "spec.networkProfile.port: is 6443 but must be between 30000 and 32767 with serviceType NodePort",
    ],
  ])("rejects one that is %s", (_what, traits, message) => {
    expect(wrong(traits)).toEqual([message]);
  });

  it("rejects invalid kubelet settings", () => {
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
    ["v1.34.1", "v1.36.3", "cannot be upgraded from v1.34.1 to v1.36.3 directly; upgrade to v1.35 first"],
    ["v1.36.3", "v1.35.4", "cannot be downgraded from v1.36.3 to v1.35.4; minor version downgrades are not supported"],
    ["v1.36.3", "v1.37.0", "v1.37.0 is not supported; choose a version from v1.30 to v1.36"],
  ])("from %s to %s: %s", (from, to, fault) => {
    const denials = validateChange(aControlPlane({ version: from }), aControlPlane({ version: to }));
    expect(denials.map(({ message }) => message)).toEqual(fault === undefined ? [] : [fault]);
  });

  it("is checked against the running version while an upgrade is in progress", () => {
    const before = aControlPlane({ version: "v1.35.4", ...installed("v1.34.2") });
    const [denial] = validateChange(before, aControlPlane({ version: "v1.36.0" }));
    expect(denial?.message).toBe("cannot be upgraded from v1.34.2 to v1.36.0 directly; upgrade to v1.35 first");
  });

  it.each<[string, ControlPlaneTraits]>([
    ["spec.dataStore", { spec: { dataStore: "other" } }],
    ["spec.networkProfile.serviceCidr", { spec: { networkProfile: { serviceCidr: "10.97.0.0/16" } } }],
    ["spec.networkProfile.podCidr", { spec: { networkProfile: { podCidr: "10.245.0.0/16" } } }],
  ])("of %s is rejected", (path, traits) => {
    expect(validateChange(aControlPlane(), aControlPlane(traits)).map((denial) => denial.path)).toEqual([path]);
  });
});

describe("defaultSpec", () => {
  it("sets the DataStore and the DNS address", () => {
    const { spec } = defaultSpec(aControlPlane({ spec: { dataStore: "" } }), "default");
    expect(spec.dataStore).toBe("default");
    expect(spec.networkProfile.dnsServiceIPs).toEqual(["10.96.0.10"]);
  });

  it("supports IPv6", () => {
    const networkProfile = { serviceCidr: "fd00:10::/112", podCidr: "fd00:20::/64" };
    expect(defaultSpec(aControlPlane({ spec: { networkProfile } }), "x").spec.networkProfile.dnsServiceIPs).toEqual([
      "fd00:10::10",
    ]);
  });

  it("keeps values that the user sets", () => {
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

  it("allows a valid one", async () => {
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
    ["a store that does not exist", { spec: { dataStore: "none" } }, "spec.dataStore: DataStore none not found"],
    [
      "a chosen schema",
      { spec: { dataStoreSchema: "a_b_c" } },
      "spec.dataStoreSchema: is derived from the control plane's UID",
    ],
    [
      "another's user",
      { spec: { dataStoreUsername: "root" } },
      "spec.dataStoreUsername: is derived from the control plane's UID",
    ],
    [
      "another's host",
      { controlPlane: { ingress: { hostname: "green.example.com" } } },
      "spec.controlPlane.ingress.hostname: hostname green.example.com is already used by control plane tenants/green",
    ],
  ])("refuses %s", async (_what, traits, message) => {
    const { allowed, status } = await judged(aControlPlane(traits));
    expect(allowed).toBe(false);
    expect(status?.message).toContain(message);
  });

  it("accepts the derived names once they are known", async () => {
    const own = "tenant-0f0e5e0a-0000-4000-8000-000000000001";
    const before = aControlPlane();
    const after = aControlPlane({ spec: { dataStoreSchema: own, dataStoreUsername: own } });
    expect((await judged(after, before)).allowed).toBe(true);
  });

  it("allows deleting or labelling an invalid object, and no change of one that is being deleted", async () => {
    const bad = aControlPlane({ version: "v1.20.0" });
    expect((await judged(bad)).allowed).toBe(false);
    const labelled = { ...bad, metadata: { ...bad.metadata, labels: { a: "b" } } };
    expect((await judged(labelled, bad)).allowed).toBe(true);
    const deleted = { ...bad, metadata: { ...bad.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect((await judged(deleted, bad)).allowed).toBe(true);
    const { status } = await judged({ ...deleted, spec: aControlPlane({ version: "v1.19.0" }).spec }, deleted);
    expect(status?.message).toContain("the object is being deleted");
  });

  it("warns about fields without effect", async () => {
    const { warnings } = await judged(aControlPlane({ spec: { addons: { konnectivity: {} } } }));
    expect(warnings).toEqual(["spec.addons.konnectivity has no effect yet"]);
  });
});
