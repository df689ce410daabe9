import { type DynamicObject, keyText, type KubeObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { aTenantInput } from "../testing/tenant-input.ts";
import { tenantObjects, type TenantObjectsInput } from "./tenant-objects.ts";

const minors = ["v1.33.7", "v1.34.2", "v1.35.4", "v1.36.3"];

function find(objects: readonly KubeObject[], kind: string, key: string): DynamicObject {
  const found = objects.find((object) => object.kind === kind && keyText(object.metadata) === key);
  expect(found, `${kind} ${key}`).toBeDefined();
  return found as DynamicObject;
}

/** One text of a ConfigMap, read as YAML. */
function config(change: Partial<TenantObjectsInput>, name: string, key: string): Record<string, unknown> {
  const { data } = find(tenantObjects(aTenantInput(change)), "ConfigMap", name);
  return parse((data as Record<string, string>)[key] ?? "") as Record<string, unknown>;
}

const kubelet = (change: Partial<TenantObjectsInput>): Record<string, unknown> =>
  config(change, "kube-system/kubelet-config", "kubelet");
const clusterConfiguration = (change: Partial<TenantObjectsInput>): Record<string, unknown> =>
  config(change, "kube-system/kubeadm-config", "ClusterConfiguration");

describe("tenantObjects", () => {
  it.each(minors)("returns for %s the objects that joining needs, each once and with Steward's label", (version) => {
    const objects = tenantObjects(aTenantInput({ version }));
    const names = objects.map((object) => `${object.kind} ${keyText(object.metadata)}`);
    expect(names.toSorted()).toEqual([
      "ClusterRole kubeadm:get-nodes",
      "ClusterRoleBinding kubeadm:apiserver-kubelet-client",
      "ClusterRoleBinding kubeadm:cluster-admins",
      "ClusterRoleBinding kubeadm:get-nodes",
      "ClusterRoleBinding kubeadm:kubelet-bootstrap",
      "ClusterRoleBinding kubeadm:node-autoapprove-bootstrap",
      "ClusterRoleBinding kubeadm:node-autoapprove-certificate-rotation",
      "ConfigMap kube-public/cluster-info",
      "ConfigMap kube-system/kubeadm-config",
      "ConfigMap kube-system/kubelet-config",
      "Role kube-public/kubeadm:bootstrap-signer-clusterinfo",
      "Role kube-system/kubeadm:kubelet-config",
      "Role kube-system/kubeadm:nodes-kubeadm-config",
      "RoleBinding kube-public/kubeadm:bootstrap-signer-clusterinfo",
      "RoleBinding kube-system/kubeadm:kubelet-config",
      "RoleBinding kube-system/kubeadm:nodes-kubeadm-config",
    ]);
    for (const { metadata } of objects) expect(metadata.labels).toHaveProperty("steward.butlerlabs.dev/project");
    expect(tenantObjects(aTenantInput({ version }))).toEqual(objects);
  });

  it("adds CoreDNS and kube-proxy only when enabled", () => {
    const kinds = (change: Partial<TenantObjectsInput>): number => tenantObjects(aTenantInput(change)).length;
    expect(kinds({ coreDNS: {} }) - kinds({})).toBe(6);
    expect(kinds({ kubeProxy: {} }) - kinds({})).toBe(6);
    expect(clusterConfiguration({})).toMatchObject({ dns: { disabled: true }, proxy: { disabled: true } });
    expect(clusterConfiguration({ coreDNS: {}, kubeProxy: {} })).toMatchObject({ dns: {}, proxy: {} });
  });

  it.each([
    [{ version: "v1.33.7" }, "registry.k8s.io/coredns/coredns:v1.12.0"],
    [{ version: "1.34.2" }, "registry.k8s.io/coredns/coredns:v1.12.1"],
    [{ version: "v1.35.4" }, "registry.k8s.io/coredns/coredns:v1.13.1"],
    [{ version: "v1.36.3" }, "registry.k8s.io/coredns/coredns:v1.14.2"],
    [{ version: "v1.41.0" }, "registry.k8s.io/coredns/coredns:v1.14.2"],
    [{ imageRepository: "mirror.example.com/k8s" }, "mirror.example.com/k8s/coredns:v1.14.2"],
    [{ coreDNS: { imageRepository: "registry.k8s.io" } }, "registry.k8s.io/coredns/coredns:v1.14.2"],
    [{ coreDNS: { imageRepository: "example.com/dns", imageTag: "v9" } }, "example.com/dns/coredns:v9"],
    [{ coreDNS: { imageRepository: "", imageTag: "" } }, "registry.k8s.io/coredns/coredns:v1.14.2"],
  ])("uses for %j the CoreDNS image %s", (change, image) => {
    const deployment = find(
      tenantObjects(aTenantInput({ coreDNS: {}, ...change })),
      "Deployment",
      "kube-system/coredns",
    );
    expect(JSON.stringify(deployment)).toContain(`"${image}"`);
  });

  it.each([
    [{ version: "1.35.4" }, "registry.k8s.io/kube-proxy:v1.35.4"],
    [{ version: "v1.36.0-rc.1+build.7" }, "registry.k8s.io/kube-proxy:v1.36.0-rc.1_build.7"],
    [{ imageRepository: "mirror.example.com" }, "mirror.example.com/kube-proxy:v1.36.3"],
    [{ kubeProxy: { imageRepository: "example.com", imageTag: "v9" } }, "example.com/kube-proxy:v9"],
  ])("uses for %j the kube-proxy image %s", (change, image) => {
    const objects = tenantObjects(aTenantInput({ kubeProxy: {}, ...change }));
    expect(JSON.stringify(find(objects, "DaemonSet", "kube-system/kube-proxy"))).toContain(`"${image}"`);
  });

  it("names the probes' ports of CoreDNS only where its kubeadm does", () => {
    const portOf = (version: string): unknown => {
      const objects = tenantObjects(aTenantInput({ version, coreDNS: {} }));
      const text = JSON.stringify(find(objects, "Deployment", "kube-system/coredns"));
      return /"path":"\/ready","port":("?[a-z0-9-]+"?)/.exec(text)?.[1];
    };
    expect(minors.map(portOf)).toEqual(["8181", ...Array.from({ length: 3 }, () => '"readiness-probe"')]);
  });

  it("configures kube-proxy with the pod CIDR, and the conntrack limit when set", () => {
    const proxy = (change: Partial<TenantObjectsInput>): unknown =>
      config(change, "kube-system/kube-proxy", "config.conf");
    expect(proxy({ kubeProxy: {} })).toMatchObject({ clusterCIDR: "10.244.0.0/16", bindAddress: "0.0.0.0" });
    expect(proxy({ kubeProxy: {} })).not.toHaveProperty("conntrack");
    expect(proxy({ kubeProxy: { conntrackMaxPerCore: 0, mode: "nftables" } })).toMatchObject({
      conntrack: { maxPerCore: 0 },
      mode: "nftables",
    });
    expect(proxy({ kubeProxy: {}, serviceCidr: "fd00:96::/112", podCidr: "fd00:244::/56" })).toMatchObject({
      clusterCIDR: "fd00:244::/56",
      bindAddress: "::",
    });
  });

  it("rolls kube-proxy when its configuration changes and only then", () => {
    const template = (change: Partial<TenantObjectsInput>): unknown =>
      (find(tenantObjects(aTenantInput(change)), "DaemonSet", "kube-system/kube-proxy")["spec"] as DynamicObject)[
        "template"
      ];
    expect(template({ kubeProxy: {} })).toEqual(template({ kubeProxy: {}, coreDNS: {} }));
    expect(template({ kubeProxy: {} })).not.toEqual(template({ kubeProxy: { conntrackMaxPerCore: 0 } }));
  });

  it.each([
    [{ serviceCidr: "10.96.0.0/16" }, ["10.96.0.10"]],
    [{ serviceCidr: "fd00:96::/112" }, ["fd00:96::10"]],
    [{ dnsServiceIPs: ["10.96.7.7"] }, ["10.96.7.7"]],
    [{ dnsServiceIPs: [] }, ["10.96.0.10"]],
  ])("has with %j the DNS addresses %j, in kubelets and in the Service", (change, addresses) => {
    expect(kubelet(change)["clusterDNS"]).toEqual(addresses);
    const service = find(tenantObjects(aTenantInput({ coreDNS: {}, ...change })), "Service", "kube-system/kube-dns");
    expect(service["spec"]).toMatchObject({ clusterIP: addresses[0] });
  });

  it("publishes the announced endpoint and the CA in cluster-info", () => {
    const info = config({ endpoint: { host: "2001:db8::7", port: 443 } }, "kube-public/cluster-info", "kubeconfig");
    const [{ cluster }] = info["clusters"] as [{ cluster: Record<string, string> }];
    expect(cluster["server"]).toBe("https://[2001:db8::7]:443");
    expect(Buffer.from(cluster["certificate-authority-data"] ?? "", "base64").toString()).toBe(aTenantInput().caPem);
  });

  it.each<[string, Partial<TenantObjectsInput>]>([
    ["an invalid version", { version: "latest" }],
    ["a version without patch", { version: "v1.36" }],
    ["a version that is too old", { version: "v1.32.9" }],
    ["another major version", { version: "v2.36.0" }],
    ["an invalid Service CIDR", { serviceCidr: "10.96.0.0" }],
    ["an invalid pod CIDR", { podCidr: "" }],
    ["a Service CIDR without a tenth address", { serviceCidr: "10.96.0.0/29" }],
    ["an invalid DNS address", { dnsServiceIPs: ["dns.example.com"] }],
    ["a patch that does not apply", { kubelet: { patches: [{ op: "remove", path: "/nothing" }] } }],
    ["a patch of the whole document", { kubelet: { patches: [{ op: "replace", path: "", value: [] }] } }],
    ["a patch of the kind", { kubelet: { patches: [{ op: "replace", path: "/kind", value: "Pod" }] } }],
    [
      "a field of a newer kubelet",
      {
        version: "v1.35.4",
        kubelet: { patches: [{ op: "add", path: "/memoryReservationPolicy", value: "None" }] },
      },
    ],
  ])("rejects %s with a hint", (_what, change) => {
    const build = (): unknown => tenantObjects(aTenantInput(change));
    expect(build).toThrow(InvalidInput);
    expect(build).toThrow(expect.objectContaining({ hint: expect.stringMatching(/./) as string }) as Error);
  });
});

describe("the kubelet configuration", () => {
  it("is the same minimal one for every minor version", () => {
    const expected = {
      apiVersion: "kubelet.config.k8s.io/v1beta1",
      kind: "KubeletConfiguration",
      authentication: {
        anonymous: { enabled: false },
        webhook: { enabled: true },
        x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" },
      },
      authorization: { mode: "Webhook" },
      cgroupDriver: "systemd",
      clusterDNS: ["10.96.0.10"],
      clusterDomain: "cluster.local",
      healthzBindAddress: "127.0.0.1",
      healthzPort: 10248,
      rotateCertificates: true,
      staticPodPath: "/etc/kubernetes/manifests",
    };
    for (const version of minors) expect(kubelet({ version })).toEqual(expected);
  });

  it.each(minors)("has the configured options, for %s", (version) => {
    const options = { cgroupDriver: "cgroupfs", serverTLSBootstrap: true, allowsCgroupV1: true } as const;
    expect(kubelet({ version, kubelet: options })).toMatchObject({
      cgroupDriver: "cgroupfs",
      serverTLSBootstrap: true,
      failCgroupV1: false,
    });
    expect(kubelet({ version, kubelet: { serverTLSBootstrap: false, allowsCgroupV1: false } })).toEqual(
      kubelet({ version }),
    );
  });

  it("removes fields by patch, and applies patches in order", () => {
    const patched = kubelet({
      kubelet: {
        patches: [
          { op: "remove", path: "/rotateCertificates" },
          { op: "remove", path: "/authentication/x509" },
          { op: "add", path: "/maxPods", value: 64 },
          { op: "replace", path: "/maxPods", value: 65 },
          { op: "add", path: "/clusterDNS/0", value: "169.254.20.10" },
          { op: "add", path: "/evictionHard", value: { "memory.available": '5%, "quoted"' } },
        ],
      },
    });
    expect(patched).not.toHaveProperty("rotateCertificates");
    expect(patched["authentication"]).toEqual({ anonymous: { enabled: false }, webhook: { enabled: true } });
    expect(patched).toMatchObject({
      maxPods: 65,
      clusterDNS: ["169.254.20.10", "10.96.0.10"],
      evictionHard: { "memory.available": '5%, "quoted"' },
    });
  });

  it("accepts a field from the minor version on that supports it", () => {
    const patches = [{ op: "add", path: "/tlsCurvePreferences", value: ["X25519"] }] as const;
    expect(kubelet({ version: "v1.36.0", kubelet: { patches } })).toHaveProperty("tlsCurvePreferences");
    expect(() => kubelet({ version: "v1.34.0", kubelet: { patches } })).toThrow(/1\.34 does not support/);
  });
});
