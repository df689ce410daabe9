import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allResources } from "@butler/api";
import { platformManifests, platformNamespace } from "@butler/butler/deploy";
import { builtinKinds } from "@butler/resource";
import { eventually, shortOrLong, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BalancedLoad } from "./lib/balanced-load.ts";
import { PersonAtServer } from "./lib/person-at-server.ts";
import { ServerProcess } from "./lib/server-process.ts";

const kills = shortOrLong(4, 30);
const betweenKillsMs = shortOrLong(3_000, 20_000);
const publicUrl = "http://butler.example.com";

let cluster: TestCluster;
let folder: string;
let replicas: readonly ServerProcess[] = [];

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-replicas-"));
  cluster = await aTestCluster({ resources: allResources });
  await cluster.createNamespace(platformNamespace);
  // Permissions of platform administrators, as in the chart.
  const roles = platformManifests({ image: "none" }).filter(
    ({ metadata }) => metadata.name === "butler-platform-admin",
  );
  const { ClusterRole, ClusterRoleBinding, Role, RoleBinding } = builtinKinds;
  for (const role of roles) {
    const kind = [ClusterRole, ClusterRoleBinding, Role, RoleBinding].find((each) => each.kind === role.kind);
    await cluster.client.create(kind ?? expect.fail(role.kind), role);
  }
  const kubeconfig = cluster.controlPlane.kubeconfigPath;
  replicas = [
    new ServerProcess({ kubeconfig, publicUrl, port: await freePort() }),
    new ServerProcess({ kubeconfig, publicUrl, port: await freePort() }),
  ];
  await Promise.all(replicas.map((replica) => replica.start()));
});

afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()));
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

it(
  `with two replicas, killing one every ${betweenKillsMs / 1_000} s fails only its requests in progress`,
  { timeout: shortOrLong(240_000, 3_600_000) },
  async () => {
    const [first, second] = replicas;
    if (first === undefined || second === undefined) expect.fail("there are no two replicas");
    const secret = { name: "butler-setup-token", namespace: platformNamespace };
    const { data } = (await cluster.client.get(builtinKinds.Secret, secret)) as { data?: { token?: string } };
    const root = new PersonAtServer(first.url, { origin: publicUrl });
    const token = Buffer.from(data?.token ?? "", "base64").toString();
    await root.did("POST", "/api/auth/setup", {
      token,
      email: "root@example.com",
      password: "this one is hard to guess",
    });
    const load = new BalancedLoad([first.url, second.url], root);
    for (let round = 0; round < kills; round++) {
      const victim = round % 2 === 0 ? first : second;
      await load.forMs(betweenKillsMs);
      const isGone = load.dies(victim.url);
      await victim.kill();
      isGone();
      await victim.start();
    }
    await load.forMs(2_000);
    const { sent, failures, inFlight, confirmed } = await load.stop();
    console.log(`${sent} requests, ${failures.length} failed, ${inFlight} were in flight at a replica that was killed`);
    expect(failures).toEqual([]);
    expect(sent).toBeGreaterThan((kills * betweenKillsMs) / 1_000);
    expect(confirmed.length).toBeGreaterThan(50);

    const recorded = new Set<string>();
    await eventually(async () => {
      for (const id of await recordedRequests(root.at(second.url))) recorded.add(id);
      return confirmed.every((id) => recorded.has(id));
    });
    expect(confirmed.filter((id) => !recorded.has(id))).toEqual([]);
    const verdict = await root.at(second.url).did("GET", "/api/admin/audit/verify");
    expect(verdict["isIntact"]).toBe(true);
  },
);

/** Ids of all requests in the audit log, page by page. */
async function recordedRequests(reader: PersonAtServer): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ""; ;) {
    const page = (await reader.did("GET", `/api/admin/audit?limit=500${cursor}`)) as {
      entries: { requestId: string }[];
      nextCursor?: string;
    };
    ids.push(...page.entries.map(({ requestId }) => requestId));
    if (page.nextCursor === undefined) return ids;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}
