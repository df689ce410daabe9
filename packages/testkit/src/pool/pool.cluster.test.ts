import { allResources, Team } from "@butler/api";
import { applyCrds, connect, loadKubeConfig } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { eventually } from "../eventually.ts";
import { allow, connectAs } from "../limited-clients.ts";
import { smallCrd } from "../loose-crds.ts";
import { aTestCluster } from "../test-cluster.ts";

const { Namespace, ConfigMap, ClusterRole, CustomResourceDefinition } = builtinKinds;
const Foo: Kind = { ...Team, group: "example.com", version: "v1", kind: "Foo", plural: "foos", scope: "Namespaced" };
const Service: Kind = { ...ConfigMap, kind: "Service", plural: "services" };
const Webhooks: Kind = {
  ...ClusterRole,
  group: "admissionregistration.k8s.io",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
};

const a = (kind: Kind, name: string, more: object = {}): DynamicObject => ({
  apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
  kind: kind.kind,
  metadata: { name, ...(kind.scope === "Namespaced" ? { namespace: "payments" } : {}) },
  ...more,
});

/** A Service with a fixed port that only one Service can have. */
const service = a(Service, "web", { spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30_123 }] } });
/** Rejects every ConfigMap as long as the API server knows this configuration. */
const refusal = a(Webhooks, "refuse", {
  webhooks: [
    {
      name: "refuse.example.com",
      clientConfig: { url: "https://127.0.0.1:1/nobody" },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      failurePolicy: "Fail",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    },
  ],
});

describe("an API server of the pool", () => {
  it("is clean for the next file: objects, kinds, RBAC rules, webhooks, ports, settings", async () => {
    const first = await aTestCluster({ resources: [Team] });
    const { client } = first;
    await client.create(Namespace, a(Namespace, "payments"));
    await client.create(ConfigMap, a(ConfigMap, "one"));
    await client.create(Service, service);
    await client.create(Team, a(Team, "web", { spec: {} }));
    await applyCrds(client, [smallCrd(Foo, { type: "object", "x-kubernetes-preserve-unknown-fields": true })]);
    await eventually(() => client.create(Foo, a(Foo, "mine")));
    const rules = [{ apiGroups: [""], resources: ["namespaces"], verbs: ["list"] }];
    await client.create(ClusterRole, a(ClusterRole, "look", { rules }));
    await allow(first, "eve", "look");
    const eve = await connectAs(first, "eve");
    await eventually(() => eve.client.list(Namespace));
    const patch = { metadata: { labels: { changed: "yes" } } };
    await client.patch(ClusterRole, { name: "view" }, { type: "merge", patch });
    await client.delete(ClusterRole, { name: "edit" });
    await client.create(Webhooks, refusal);
    await eventually(() =>
      client.create(ConfigMap, a(ConfigMap, "refused")).then(
        () => false,
        (error: unknown) => String(error).includes("refuse.example.com"),
      ),
    );
    await first.stop();

    const second = await aTestCluster({ resources: [Team] });
    try {
      expect(second.controlPlane.server).toBe(first.controlPlane.server);
      const names = async (kind: Kind): Promise<string[]> =>
        (await second.client.list(kind)).items.map(({ metadata }) => metadata.name).toSorted();
      expect(await names(Namespace)).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
      expect(await names(Team)).toEqual([]);
      expect(await names(CustomResourceDefinition)).toEqual(
        allResources.map(({ plural, group }) => `${plural}.${group}`).toSorted(),
      );
      await expect(second.client.list(Foo)).rejects.toThrow();
      await expect(eve.client.list(Namespace)).rejects.toThrow(/forbidden/);
      const view = await second.client.get(ClusterRole, { name: "view" });
      expect(view.metadata.labels).not.toHaveProperty("changed");
      expect(await names(ClusterRole)).toContain("edit");
      await second.client.create(Namespace, a(Namespace, "payments"));
      await second.client.create(ConfigMap, a(ConfigMap, "one"));
      await second.client.create(Service, service);
    } finally {
      await eve.close();
      await second.stop();
    }
  });

  it("sends deletion events to watches, and keeps sending later events", async () => {
    const first = await aTestCluster({ resources: [Team] });
    await first.client.create(Namespace, a(Namespace, "payments"));
    await first.client.create(ConfigMap, a(ConfigMap, "one"));
    await first.client.create(Team, a(Team, "web", { spec: {} }));
    const seen: string[] = [];
    const over = new AbortController();
    // A connection that the pool does not know, like a forgotten one.
    const forgotten = connect(loadKubeConfig(first.controlPlane.kubeconfigPath));
    const open = async (kind: Kind) => {
      const { resourceVersion } = await forgotten.client.list(kind);
      return forgotten.client.watch(kind, { resourceVersion, signal: over.signal });
    };
    const follow = async (kind: Kind, watch: Awaited<ReturnType<typeof open>>): Promise<void> => {
      for await (const event of watch) {
        if (event.type !== "BOOKMARK") seen.push(`${event.type} ${kind.kind} ${event.object.metadata.name}`);
      }
    };
    const [configMaps, teams] = await Promise.all([open(ConfigMap), open(Team)]);
    const following = [follow(ConfigMap, configMaps), follow(Team, teams)].map((each) => each.catch(() => undefined));
    await first.client.create(ConfigMap, a(ConfigMap, "two"));
    await eventually(() => seen.includes("ADDED ConfigMap two"), { what: () => seen.join(", ") });
    await first.stop();
    const expected = ["DELETED ConfigMap one", "DELETED ConfigMap two", "DELETED Team web"];
    await eventually(() => expected.every((event) => seen.includes(event)), { what: () => seen.join(", ") });

    const second = await aTestCluster({ resources: [Team] });
    try {
      expect(second.controlPlane.server).toBe(first.controlPlane.server);
      await second.client.create(Team, a(Team, "shop", { spec: {} }));
      await eventually(() => seen.includes("ADDED Team shop"), { what: () => seen.join(", ") });
    } finally {
      over.abort();
      await Promise.all(following);
      await forgotten.close();
      await second.stop();
    }
  });

  it("is replaced when its last user still writes", async () => {
    const first = await aTestCluster({ resources: [Team] });
    const forgotten = connect(loadKubeConfig(first.controlPlane.kubeconfigPath));
    let written = 0;
    const timer = setInterval(() => {
      void forgotten.client.create(Namespace, a(Namespace, `left-${++written}`)).catch(() => undefined);
    }, 200);
    try {
      await eventually(() => written > 1);
      await first.stop();
      const before = written;
      await eventually(() => written > before + 3);
      const second = await aTestCluster({ resources: [Team] });
      expect(second.controlPlane.server).not.toBe(first.controlPlane.server);
      await second.stop();
    } finally {
      clearInterval(timer);
      await forgotten.close();
    }
  });

  it("is not shared when an exclusive one is requested", async () => {
    const own = await aTestCluster({ mine: true });
    const shared = await aTestCluster({ resources: [Team] });
    expect(own.controlPlane.server).not.toBe(shared.controlPlane.server);
    await shared.stop();
    await own.stop();
  });
});
