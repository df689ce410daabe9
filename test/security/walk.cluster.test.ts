import { chartFolder, installChart } from "@butler/butler/chart";
import { ensureTools } from "@butler/engine";
import { builtinKinds } from "@butler/resource";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Actor, Wire } from "./lib/walk/actor.ts";
import { byDesign, inWords, isForeign } from "./lib/walk/by-design.ts";
import { fillPlatform } from "./lib/walk/platform-objects.ts";
import type { StepContext } from "./lib/walk/steps-identity.ts";
import { Walker } from "./lib/walk/walk.ts";
import { elsewhere, type Place, plantTargets, surveyWorld } from "./lib/walk/world.ts";

let cluster: TestCluster;
let wire: Wire;
let context: StepContext;
let walker: Walker;

beforeAll(async () => {
  const { helm } = await ensureTools(["helm"]);
  cluster = await aTestCluster({ withControllerManager: true });
  const roles = ["steward", "controller", "sniGateway", "localProvider", "server"];
  const withoutPods = Object.fromEntries(roles.map((role) => [role, { replicas: 0 }]));
  const values = { ...withoutPods, localProvider: { enabled: true, replicas: 0 } };
  const { kubeconfigPath: kubeconfig } = cluster.controlPlane;
  await installChart({ helm, kubeconfig, chart: chartFolder, values, timeoutMs: 60_000 });
  const known = await fillPlatform(cluster);
  await plantTargets(cluster);
  wire = await Wire.to(kubeconfig);
  context = { wire, world: await surveyWorld(cluster, known), identityOf };
  walker = new Walker(context, isForeign);
}, 120_000);
afterAll(async () => {
  wire?.close();
  await cluster?.stop();
});

const identities = new Map<string, Promise<Actor>>();

/** The identity that the use of an account provides. */
function identityOf({ namespace, name }: Place): Promise<Actor> {
  const id = `${namespace}/${name}`;
  const known = identities.get(id) ?? requestToken({ namespace, name });
  identities.set(id, known);
  return known;
}

async function requestToken(metadata: Place): Promise<Actor> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata, spec: {} };
  const made = await cluster.client.create(builtinKinds.ServiceAccount, body, { subresource: "token" });
  const { token = "" } = (made["status"] ?? {}) as { token?: string };
  return { name: `${metadata.namespace}/${metadata.name}`, token };
}

/** What can be reached from an account, with the identities on the way. */
async function walkFrom(place: Place): Promise<Readonly<Record<string, string>>> {
  const found = await walker.from(await identityOf(place));
  return Object.fromEntries([...found].map(([text, way]) => [inWords(text), way.join(" > ")]));
}

describe("a walk from the token of a component", () => {
  it.each(Object.keys(byDesign))(
    "hole 4: %s reaches what it has by design, and no administrator of the cluster",
    async (name) => {
      const found = await walkFrom({ namespace: "butler-system", name });
      const [allowed, reached] = [Object.keys(byDesign[name] ?? {}), Object.keys(found)];
      // The way to each is in the failure.
      expect(Object.entries(found).filter(([text]) => !allowed.includes(text))).toEqual([]);
      expect(allowed.filter((text) => !reached.includes(text))).toEqual([]);
    },
    120_000,
  );

  it("hole 4: a walk notices everything that an administrator may do", async () => {
    const alone = new Walker(context, () => true);
    const found = [...(await alone.from(await identityOf(elsewhere))).keys()].map(inWords);
    const wanted = [
      "is cluster-admin",
      "becomes an account of Kubernetes",
      "reads Secrets of Kubernetes",
      "writes Secrets of Kubernetes",
      "writes ConfigMaps of Kubernetes",
      "enters pods of Kubernetes",
      "runs pods with SYS_ADMIN of Kubernetes",
      "runs pods with a directory of the node of Kubernetes",
      "changes Butler's Helm release",
      "creates any ClusterRole",
      "creates aggregated ClusterRoles",
      "binds itself to ClusterRole cluster-admin",
      "gives ClusterRole butler-server-people all rights",
      "creates webhooks",
      "changes the webhooks of butler-controller",
      "changes the policy butler-workloads",
      "changes CRDs",
      "changes API services",
      "approves certificates",
      "signs certificates",
      "creates nodes",
      "adds nodes",
      "reaches kubelets",
    ];
    expect(wanted.filter((text) => !found.includes(text))).toEqual([]);
  }, 120_000);
});
