import { describe, expect, it } from "vitest";
import { planService } from "../../exposure/index.ts";
import type { NamedThing } from "../kinds.ts";
import { secretIds, secretName } from "../secrets/secret-names.ts";
import { aControlPlane } from "../testing/objects.ts";
import { deploymentOf } from "../testing/rendered.ts";
import { buildAuthenticationConfiguration, hasAuthenticationConfiguration } from "./authentication-configuration.ts";
import { ownVolumeNames } from "./files.ts";
import { buildDisruptionBudget, buildNetworkPolicy } from "./workload.ts";

describe("the pods of a control plane", () => {
  it("start the API server first and stop it last", () => {
    const { template, container } = deploymentOf();
    expect(template.spec.initContainers?.map(({ name }) => name)).toEqual(["kube-apiserver"]);
    expect(template.spec.containers.map(({ name }) => name)).toEqual(["kube-controller-manager", "kube-scheduler"]);
    expect(container("kube-apiserver")).toMatchObject({
      restartPolicy: "Always",
      startupProbe: {
        httpGet: { path: "/readyz", port: 6443, scheme: "HTTPS" },
        periodSeconds: 1,
        failureThreshold: 180,
      },
      readinessProbe: { httpGet: { path: "/readyz" }, periodSeconds: 1 },
      livenessProbe: { httpGet: { path: "/livez" } },
    });
  });

  it("are found by the Service", () => {
    const { tcp, spec, template } = deploymentOf();
    expect(template.metadata.labels).toMatchObject(planService(tcp).spec.selector ?? {});
    expect(template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  });

  it("meet the restricted level of Kubernetes' Pod Security Standards", () => {
    const { template, all } = deploymentOf();
    expect(template.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(template.spec).not.toHaveProperty("hostNetwork");
    for (const { securityContext } of all) {
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
    for (const volume of template.spec.volumes ?? []) expect(volume).not.toHaveProperty("hostPath");
  });

  it("mount exactly the existing volumes", () => {
    const { template, all } = deploymentOf();
    const volumes = (template.spec.volumes ?? []).map(({ name }) => name);
    const mounted = all.flatMap(({ volumeMounts }) => (volumeMounts as NamedThing[]).map(({ name }) => name));
    expect([...new Set(mounted)].sort()).toEqual([...volumes].sort());
    expect([...volumes].sort()).toEqual([...ownVolumeNames].sort());
  });

  it("do not mount the CA key into the API server", () => {
    const { template } = deploymentOf();
    const pki = template.spec.volumes?.find(({ name }) => name === "etc-kubernetes-pki");
    expect(JSON.stringify(pki)).not.toContain("ca.key");
    expect(JSON.stringify(pki)).toContain("apiserver.key");
  });

  it("reference only Secrets that are created", () => {
    const { template } = deploymentOf();
    const named = [...JSON.stringify(template).matchAll(/"(?:secretName|name)":"(blue-[^"]+)"/g)].map(
      ([, name]) => name,
    );
    const made = new Set([
      ...secretIds.map((id) => secretName({ name: "blue" }, id)),
      "blue-authentication-configuration",
    ]);
    expect(named.filter((name) => !made.has(name ?? ""))).toEqual([]);
    expect(named.length).toBeGreaterThan(8);
  });

  it("follow the placement, resources and labels of the spec", () => {
    const { template, deployment, container, spec } = deploymentOf({
      deployment: {
        replicas: 3,
        nodeSelector: { pool: "control" },
        tolerations: [{ key: "control", operator: "Exists" }],
        priorityClassName: "tenants",
        runtimeClassName: "gvisor",
        resources: { apiServer: { requests: { cpu: "2" } } },
        topologySpreadConstraints: [{ maxSkew: 2, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }],
        podAdditionalMetadata: { labels: { team: "blue", "steward.butlerlabs.dev/name": "other" } },
        additionalMetadata: { annotations: { note: "mine" } },
        probes: { startup: { failureThreshold: 600 } },
        serviceAccountName: "tenant",
      },
    });
    expect(spec.replicas).toBe(3);
    expect(template.spec).toMatchObject({
      nodeSelector: { pool: "control" },
      priorityClassName: "tenants",
      runtimeClassName: "gvisor",
      serviceAccountName: "tenant",
      topologySpreadConstraints: [
        { maxSkew: 2, labelSelector: { matchLabels: { "steward.butlerlabs.dev/name": "blue" } } },
      ],
    });
    expect(template.metadata.labels).toMatchObject({ team: "blue", "steward.butlerlabs.dev/name": "blue" });
    expect(deployment.metadata.annotations).toMatchObject({ note: "mine" });
    expect(container("kube-apiserver")["resources"]).toEqual({ requests: { cpu: "2" } });
    expect(container("kube-scheduler")["resources"]).toEqual({ requests: { cpu: "25m", memory: "32Mi" } });
    expect(container("kube-apiserver")["startupProbe"]).toMatchObject({ failureThreshold: 600, periodSeconds: 1 });
  });

  it("merge user additions with Steward's own by name", () => {
    const { template, container } = deploymentOf({
      deployment: {
        additionalInitContainers: [{ name: "first", image: "x" }],
        additionalContainers: [{ name: "audit", image: "y" }],
        additionalVolumes: [{ name: "logs", emptyDir: {} }],
        additionalVolumeMounts: { apiServer: [{ name: "logs", mountPath: "/var/log" }] },
      },
    });
    expect(template.spec.initContainers?.map(({ name }) => name)).toEqual(["first", "kube-apiserver"]);
    expect(template.spec.containers.map(({ name }) => name)).toEqual([
      "kube-controller-manager",
      "kube-scheduler",
      "audit",
    ]);
    expect(container("kube-apiserver")["volumeMounts"]).toContainEqual({ name: "logs", mountPath: "/var/log" });
  });

  it.each([
    ["v1.36.3", "registry.k8s.io/kube-apiserver:v1.36.3"],
    ["1.36.3", "registry.k8s.io/kube-apiserver:v1.36.3"],
    ["v1.36.3+vendor.1", "registry.k8s.io/kube-apiserver:v1.36.3_vendor.1"],
  ])("use the image of version %s", (version, image) => {
    expect(deploymentOf({ version }).container("kube-apiserver").image).toBe(image);
  });

  it("use images from the registry of the spec", () => {
    const registrySettings = { registry: "mirror.example.com/k8s", schedulerImage: "scheduler", tagSuffix: "-fips" };
    const { container } = deploymentOf({ deployment: { registrySettings } });
    expect(container("kube-scheduler").image).toBe("mirror.example.com/k8s/scheduler:v1.36.3-fips");
  });
});

describe("anonymous access", () => {
  it.each([
    ["v1.31.4", undefined],
    ["v1.32.0", "apiserver.config.k8s.io/v1beta1"],
    ["v1.33.9", "apiserver.config.k8s.io/v1beta1"],
    ["v1.34.0", "apiserver.config.k8s.io/v1"],
    ["v1.36.3", "apiserver.config.k8s.io/v1"],
  ])("is limited in %s by %s", (version, apiVersion) => {
    const tcp = aControlPlane({ version });
    expect(hasAuthenticationConfiguration(tcp)).toBe(apiVersion !== undefined);
    if (apiVersion === undefined) return;
    const [text = ""] = Object.values(buildAuthenticationConfiguration(tcp)["data"] as Record<string, string>);
    const configuration = JSON.parse(text) as { apiVersion: string; anonymous: { conditions: { path: string }[] } };
    expect(configuration.apiVersion).toBe(apiVersion);
    expect(configuration.anonymous.conditions.map(({ path }) => path)).toEqual([
      "/healthz",
      "/livez",
      "/readyz",
      "/api/v1/namespaces/kube-public/configmaps/cluster-info",
    ]);
  });

  it.each([["--oidc-issuer-url=https://issuer"], ["--authentication-config=/etc/mine.yaml"]])(
    "is left to a user who sets %s",
    (flag) => {
      const { container, template } = deploymentOf({ deployment: { extraArgs: { apiServer: [flag] } } });
      expect(container("kube-apiserver").args).not.toContain(expect.stringContaining("/etc/kubernetes/authentication"));
      expect(template.spec.volumes?.map(({ name }) => name)).not.toContain("authentication-configuration");
    },
  );
});

describe("the objects around the pods", () => {
  it("allow connections to the API server and to added ports only", () => {
    const additionalPorts = [{ name: "extra", port: 9000, targetPort: 9001 }];
    const service = { serviceType: "ClusterIP" as const, additionalPorts };
    const policy = buildNetworkPolicy(aControlPlane({ controlPlane: { service } }));
    expect(policy["spec"]).toEqual({
      podSelector: { matchLabels: { "steward.butlerlabs.dev/name": "blue" } },
      policyTypes: ["Ingress"],
      ingress: [
        {
          ports: [
            { protocol: "TCP", port: 6443 },
            { protocol: "TCP", port: 9001 },
          ],
        },
      ],
    });
  });

  it("allow one disruption at a time", () => {
    expect(buildDisruptionBudget(aControlPlane())["spec"]).toMatchObject({ maxUnavailable: 1 });
  });

  it("replace pods without downtime", () => {
    expect(deploymentOf().spec.strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: 0, maxSurge: "100%" },
    });
  });
});
