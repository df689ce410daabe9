import { engineImageNames } from "@butler/engine";
import type { DynamicObject, KubeObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { etcdSecretNeeds } from "./etcd-certificates.ts";
import { dedicatedEtcdName, etcdEndpoints } from "./etcd-names.ts";
import { defaultEtcdImage, type EtcdInput, etcdObjects, quotaBytes } from "./manifests.ts";

const anEtcd = (change: Partial<EtcdInput> = {}): EtcdInput => ({
  name: "blue-etcd",
  namespace: "team",
  members: 3,
  labels: { team: "payments" },
  image: defaultEtcdImage,
  storage: { size: "8Gi" },
  isDisposable: true,
  token: "uid-of-blue",
  ...change,
});

interface PodTemplate {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    securityContext: Record<string, unknown>;
    automountServiceAccountToken: boolean;
    containers: {
      args: string[];
      resources: unknown;
      securityContext: Record<string, unknown>;
      startupProbe: object;
      readinessProbe: object;
    }[];
    volumes: { name: string; projected: { sources: { secret: { name: string; items: { key: string }[] } }[] } }[];
  };
}

const find = (objects: readonly KubeObject[], kind: string) =>
  objects.find((object) => object.kind === kind) as DynamicObject | undefined;
const specOf = (object: DynamicObject | undefined) => object?.["spec"] as Record<string, unknown>;
const templateOf = (input: EtcdInput): PodTemplate =>
  specOf(find(etcdObjects(input), "StatefulSet"))["template"] as PodTemplate;
const flagsOf = (input: EtcdInput): Record<string, string> =>
  Object.fromEntries(
    (templateOf(input).spec.containers[0]?.args ?? []).map((argument) => {
      const at = argument.indexOf("=");
      return [argument.slice(2, at), argument.slice(at + 1)];
    }),
  );

describe("an etcd of Steward's", () => {
  it("has a PodDisruptionBudget only with several members", () => {
    const kinds = (members: number) => etcdObjects(anEtcd({ members })).map(({ kind }) => kind);
    expect(kinds(1)).toEqual(["Service", "NetworkPolicy", "StatefulSet"]);
    expect(kinds(3)).toEqual(["Service", "NetworkPolicy", "PodDisruptionBudget", "StatefulSet"]);
  });

  it("requires TLS and a client certificate on every writable port", () => {
    const flags = flagsOf(anEtcd());
    const urls = Object.entries(flags).filter(([flag]) => flag.endsWith("-urls") && flag !== "listen-metrics-urls");
    expect(urls).toHaveLength(4);
    for (const [, url] of urls) expect(url).toMatch(/^https:/);
    expect(flags).toMatchObject({ "client-cert-auth": "true", "peer-client-cert-auth": "true" });
    expect(flags["trusted-ca-file"]).not.toBe(flags["peer-trusted-ca-file"]);
  });

  it("compacts automatically, and stays below its volume size", () => {
    expect(flagsOf(anEtcd())).toMatchObject({
      "auto-compaction-mode": "periodic",
      "auto-compaction-retention": "5m",
      "snapshot-count": "50000",
      "quota-backend-bytes": String(6 * 1024 ** 3),
    });
    const sizes = fc.integer({ min: 1, max: 2_000 });
    fc.assert(
      fc.property(sizes, (gibibytes) => {
        const quota = quotaBytes(`${gibibytes}Gi`);
        return quota < BigInt(gibibytes) * 1024n ** 3n && quota <= 8n * 1024n ** 3n && quota > 0n;
      }),
    );
  });

  it("runs with minimal permissions", () => {
    const { securityContext, automountServiceAccountToken, containers } = templateOf(anEtcd()).spec;
    expect(automountServiceAccountToken).toBe(false);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(containers[0]?.resources).toMatchObject({ requests: { cpu: "100m", memory: "256Mi" } });
  });

  it("never mounts a CA key, nor the root key, into its pods", () => {
    const sources = templateOf(anEtcd()).spec.volumes.flatMap(({ projected }) => projected.sources);
    const mounted = sources.flatMap(({ secret }) => secret.items.map(({ key }) => `${secret.name}/${key}`));
    expect(mounted.sort()).toEqual([
      "blue-etcd-ca/ca.crt",
      "blue-etcd-peer-ca/ca.crt",
      "blue-etcd-peer/tls.crt",
      "blue-etcd-peer/tls.key",
      "blue-etcd-server/tls.crt",
      "blue-etcd-server/tls.key",
    ]);
  });

  it("is not selected as a pod of its control plane", () => {
    expect(templateOf(anEtcd()).metadata.labels).not.toHaveProperty("steward.butlerlabs.dev/name");
    const labels = { "app.kubernetes.io/name": "other", "steward.butlerlabs.dev/component": "other" };
    expect(templateOf(anEtcd({ labels })).metadata.labels).toMatchObject({
      "app.kubernetes.io/name": "etcd",
      "steward.butlerlabs.dev/component": "etcd",
    });
  });

  it("selects only its own pods", () => {
    const objects = etcdObjects(anEtcd());
    const { labels } = templateOf(anEtcd()).metadata;
    const selectors = [
      specOf(find(objects, "Service"))["selector"],
      (specOf(find(objects, "StatefulSet"))["selector"] as { matchLabels: unknown }).matchLabels,
      (specOf(find(objects, "PodDisruptionBudget"))["selector"] as { matchLabels: unknown }).matchLabels,
      (specOf(find(objects, "NetworkPolicy"))["podSelector"] as { matchLabels: unknown }).matchLabels,
    ];
    for (const selector of selectors) expect(labels).toMatchObject(selector as object);
  });

  it("retains its volumes unless it is disposable", () => {
    const policy = (isDisposable: boolean) =>
      specOf(find(etcdObjects(anEtcd({ isDisposable })), "StatefulSet"))["persistentVolumeClaimRetentionPolicy"];
    expect(policy(true)).toMatchObject({ whenDeleted: "Delete" });
    expect(policy(false)).toMatchObject({ whenDeleted: "Retain" });
  });

  it("restarts when a CA changes, and for no other certificate", () => {
    const [one, other] = ["a", "b"].map((authoritiesDigest) => templateOf(anEtcd({ authoritiesDigest })));
    expect(one).not.toEqual(other);
    expect(templateOf(anEtcd())).toEqual(templateOf(anEtcd()));
    expect(templateOf(anEtcd()).metadata.annotations).toBeUndefined();
  });

  it("can be reached at every name that it announces", () => {
    for (const members of [1, 3]) {
      const place = anEtcd({ members });
      const server = etcdSecretNeeds(place).find(({ id }) => id === "server");
      const names = server?.kind === "certificate" ? server.request.dnsNames : [];
      for (const endpoint of etcdEndpoints(place)) expect(names).toContain(endpoint.replace(":2379", ""));
      const cluster = flagsOf(place)["initial-cluster"] ?? "";
      expect(cluster.split(",")).toHaveLength(members);
    }
  });

  it("uses the image that the engine provides", () => {
    expect(defaultEtcdImage).toBe(engineImageNames().etcd);
  });
});

describe("the name of a control plane's etcd", () => {
  it("fits for any name of the control plane", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][-a-z0-9]{0,61}[a-z0-9]$/), fc.uuid(), (name, uid) => {
        // Kubernetes appends a number to pods' names and a hash of ten letters to a label's value.
        const etcd = dedicatedEtcdName({ name, uid });
        return etcd.length + "-0123456789".length <= 63 && /^[a-z][-a-z0-9]*[a-z0-9]$/.test(etcd);
      }),
    );
  });
});
