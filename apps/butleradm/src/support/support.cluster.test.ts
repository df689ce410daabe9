import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allResources, namespaces, Team } from "@butler/api";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSealed } from "../archive/sealed.ts";
import { runButleradm } from "../testing/run-butleradm.ts";

const { ConfigMap, Deployment, Pod, Secret } = builtinKinds;
const namespace = namespaces.system;
const planted = { password: "swordfish-4711-planted", token: "planted-token-0815-planted" };
let cluster: TestCluster;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butleradm-support-"));
  cluster = await aTestCluster({ resources: allResources });
  await cluster.createNamespace(namespace);
});
afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function plant(): Promise<void> {
  const { client } = cluster;
  const data = Object.fromEntries(
    Object.entries(planted).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
  );
  await client.create(Secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "keys", namespace },
    data,
  } as DynamicObject);
  const metadata = { name: "settings", namespace };
  await client.create(ConfigMap, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata,
    data: { file: planted.password },
  } as DynamicObject);
  const containers = [
    {
      name: "butler",
      image: "x:v1",
      args: [`--peer=https://x/?t=${planted.token}`],
      env: [{ name: "ANYTHING", value: "planted-only-here-4242" }],
    },
  ];
  const labels = { "app.kubernetes.io/name": "butler", "app.kubernetes.io/component": "controller" };
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  await client.create(Deployment, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "butler-controller", namespace, labels },
    spec,
  } as DynamicObject);
  // Created directly, because no controller creates pods here; its service account does not exist either.
  await client.create(builtinKinds.ServiceAccount, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "default", namespace },
  });
  await client.create(Pod, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "butler-controller-1", namespace, labels },
    spec: { containers },
  } as DynamicObject);
  const team = {
    name: "payments",
    annotations: { note: `the password is ${Buffer.from(planted.password).toString("base64")}` },
  };
  await client.create(Team, { apiVersion: Team.apiVersion, kind: "Team", metadata: team, spec: {} } as never);
}

describe("butleradm support-bundle", () => {
  it("contains state, objects and unreadable items, but no secrets", async () => {
    await plant();
    const file = join(folder, "bundle.tar.gz");
    const { code, stdout, stderr } = await runButleradm(`support-bundle ${file}`, {
      kubeconfig: cluster.controlPlane.kubeconfigPath,
    });
    expect(stderr).toContain("Secrets were removed");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${file}\n` });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const files = await openSealed(await readFile(file));
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        "README.txt",
        "summary.yaml",
        "doctor.yaml",
        "objects/teams.butler.butlerlabs.dev.yaml",
        "objects/pods.yaml",
      ]),
    );
    const all = [...files].map(([path, content]) => `${path}\n${content.toString("utf8")}`).join("\n");
    expect(all).toContain("butler-controller-1");
    expect(files.get("README.txt")?.toString()).toContain("log of butler-system/butler-controller-1");
    for (const secret of [...Object.values(planted), "planted-only-here-4242"]) {
      expect(all).not.toContain(secret);
      expect(all).not.toContain(Buffer.from(secret).toString("base64"));
    }
    const kubeconfig = await readFile(cluster.controlPlane.kubeconfigPath, "utf8");
    for (const word of kubeconfig.match(/[A-Za-z0-9+/=]{60,}/g) ?? []) expect(all).not.toContain(word);
  });
});
