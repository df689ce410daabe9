import { InvalidInput } from "@butler/std";
import { describe, expect, it } from "vitest";
import {
  certificateSecrets,
  clusterApiManifests,
  managerDeployments,
  type Manifest,
  type ManifestSettings,
} from "./manifests.ts";

const pair = { cert: "certificate", key: "key" };
const settings: ManifestSettings = {
  images: { "some-controller": "example.org/some-controller:v1" },
  authorities: "authority",
  secrets: [{ name: "serving", namespace: "system", dnsNames: ["hook.system.svc"], pair }],
};
const caBundle = btoa("authority");
const injected = { annotations: { "cert-manager.io/inject-ca-from": "system/serving", kept: "yes" } };

function manifest(kind: string, rest: object = {}, metadata: object = {}): Manifest {
  return { apiVersion: "v1", kind, metadata: { name: kind.toLowerCase(), namespace: "system", ...metadata }, ...rest };
}

function deployment(args: readonly string[] = [], image = "gcr.io/staging/some-controller:main"): Manifest {
  const containers = [{ name: "manager", image, imagePullPolicy: "Always", args }];
  const volumes = [{ name: "cert", secret: { secretName: "serving" } }];
  const template = { metadata: { labels: { app: "some", tier: "manager" } }, spec: { containers, volumes } };
  return manifest("Deployment", { spec: { template } });
}

const service = manifest("Service", { spec: { selector: { app: "some" } } }, { name: "hook" });
const webhooks = [
  { name: "a", clientConfig: { service: { name: "hook" } } },
  { name: "b", clientConfig: {} },
];
const upstream: readonly Manifest[] = [
  manifest("ValidatingWebhookConfiguration", { webhooks }, injected),
  manifest("MutatingWebhookConfiguration", { webhooks }, injected),
  { ...manifest("Issuer"), apiVersion: "cert-manager.io/v1" },
  { ...manifest("Certificate"), apiVersion: "cert-manager.io/v1" },
  deployment(["--address=${ADDRESS:=:8443}", "--gates=A=${GATE_A:=true},B=${GATE_B:=false}"]),
  service,
  manifest("ConfigMap"),
  manifest("ClusterRoleBinding"),
  manifest("ServiceAccount"),
  manifest(
    "CustomResourceDefinition",
    { spec: { conversion: { webhook: { clientConfig: { path: "/" } } } } },
    injected,
  ),
  manifest("CustomResourceDefinition", { spec: { group: "plain" } }),
  manifest("Namespace"),
];

describe("clusterApiManifests", () => {
  const result = clusterApiManifests(upstream, settings);
  const find = (kind: string): Manifest | undefined => result.find((item) => item.kind === kind);

  it("orders each kind after its dependencies", () => {
    expect(result.map(({ kind }) => kind)).toEqual([
      "Namespace",
      "Secret",
      "CustomResourceDefinition",
      "CustomResourceDefinition",
      "ClusterRoleBinding",
      "ServiceAccount",
      "Service",
      "ConfigMap",
      "Deployment",
      "ValidatingWebhookConfiguration",
      "MutatingWebhookConfiguration",
    ]);
  });

  it("leaves no unset variable and no reference to cert-manager, and keeps other annotations", () => {
    expect(JSON.stringify(result)).not.toMatch(/\$\{|cert-manager/);
    expect(find("CustomResourceDefinition")?.metadata.annotations).toEqual({ kept: "yes" });
  });

  it.each(["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"])("sets the CA bundle of %s", (kind) => {
    expect(find(kind)?.["webhooks"]).toEqual([
      { name: "a", clientConfig: { service: { name: "hook" }, caBundle } },
      { name: "b", clientConfig: { caBundle } },
    ]);
  });

  it("sets the CA bundle of conversion webhooks, and leaves kinds without one unchanged", () => {
    const specs = result.filter(({ kind }) => kind === "CustomResourceDefinition").map((item) => item["spec"]);
    expect(specs).toEqual([{ conversion: { webhook: { clientConfig: { path: "/", caBundle } } } }, { group: "plain" }]);
  });

  it("adds the Secrets", () => {
    expect(find("Secret")).toMatchObject({
      metadata: { name: "serving", namespace: "system" },
      type: "kubernetes.io/tls",
      data: { "tls.crt": btoa("certificate"), "tls.key": btoa("key"), "ca.crt": caBundle },
    });
  });

  it("labels every object as managed by Butler and does not modify its input", () => {
    expect(new Set(result.map(({ metadata }) => metadata.labels?.["app.kubernetes.io/managed-by"]))).toEqual(
      new Set(["butler"]),
    );
    expect(JSON.stringify(upstream)).toContain("cert-manager.io/inject-ca-from");
  });

  it.each([["gcr.io/staging/some-controller:main"], ["some-controller"], ["localhost:5000/some-controller@sha256:00"]])(
    "runs the configured image instead of %s, without pulling it each time",
    (image) => {
      const [changed] = clusterApiManifests([deployment([], image)], { ...settings, secrets: [] });
      expect(changed).toMatchObject({
        spec: {
          template: {
            spec: { containers: [{ image: "example.org/some-controller:v1", imagePullPolicy: "IfNotPresent" }] },
          },
        },
      });
    },
  );

  it.each([
    [{}, {}],
    [{ httpGet: "ready" }, { httpGet: "ready", periodSeconds: 1, failureThreshold: 30 }],
    [
      { periodSeconds: 5, failureThreshold: 2 },
      { periodSeconds: 5, failureThreshold: 2 },
    ],
  ])("probes the readiness of a manager frequently: %o", (readinessProbe, expected) => {
    const probes = Object.keys(readinessProbe).length === 0 ? {} : { readinessProbe };
    const containers = [{ name: "manager", image: "some-controller", ...probes }];
    const spec = { template: { metadata: {}, spec: { containers } } };
    const [changed] = clusterApiManifests([manifest("Deployment", { spec })], { ...settings, secrets: [] });
    const container = {
      name: "manager",
      image: "example.org/some-controller:v1",
      imagePullPolicy: "IfNotPresent",
      ...("readinessProbe" in probes ? { readinessProbe: expected } : {}),
    };
    expect(changed?.["spec"]).toEqual({ template: { metadata: {}, spec: { containers: [container] } } });
  });

  it("rejects an image without a replacement", () => {
    expect(() => clusterApiManifests([deployment([], "other/manager:v1")], settings)).toThrow(InvalidInput);
  });

  it.each([
    ["--a=${A:=1}", {}, "--a=1"],
    ["--a=${A:=1}", { A: "2" }, "--a=2"],
    ["--a=${A:=}", {}, "--a="],
    ["--a=${A=1},b=${B:=:8443}", { B: "x" }, "--a=1,b=x"],
    ["--a=${A}", { A: "3" }, "--a=3"],
    ["--a=$A", { A: "3" }, "--a=$A"],
  ])("fills %s with %o", (argument, variables, expected) => {
    const [changed] = clusterApiManifests([deployment([argument])], { ...settings, secrets: [], variables });
    expect(changed).toMatchObject({ spec: { template: { spec: { containers: [{ args: [expected] }] } } } });
  });

  it("rejects a variable without value and default", () => {
    expect(() => clusterApiManifests([deployment(["--a=${MISSING}"])], settings)).toThrow(/MISSING/);
  });
});

describe("certificateSecrets", () => {
  it("returns the Secret that a manager mounts and the names of its Services", () => {
    expect(certificateSecrets(upstream)).toEqual([
      { name: "serving", namespace: "system", dnsNames: ["hook.system.svc"] },
    ]);
  });

  it.each([
    ["another namespace", { ...service, metadata: { name: "hook", namespace: "other" } }],
    ["other pods", { ...service, spec: { selector: { app: "other" } } }],
  ])("ignores a Service for %s", (_, other) => {
    expect(certificateSecrets([deployment(), other])[0]?.dnsNames).toEqual([]);
  });
});

describe("managerDeployments", () => {
  it("finds the managers", () => {
    expect(managerDeployments(upstream)).toEqual([{ name: "deployment", namespace: "system" }]);
  });
});
