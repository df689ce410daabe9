import { readFile } from "node:fs/promises";
import { teamNamespaceRules } from "@butler/access";
import { labels, ProviderConfig, Team, TenantAddon, TenantCluster, User } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import {
  bindPlatform,
  bindTeam,
  type Browser,
  change,
  newObject,
  startWholeServer,
  type WholeServer,
} from "@butler/server/testing";
import { eventually } from "@butler/testkit";

const { Role, Secret } = builtinKinds;

/** All test users by role: of team payments, of team billing, and of the platform. */
export const people = {
  ada: "ada@example.com",
  olga: "olga@example.com",
  vera: "vera@example.com",
  /** Viewer of the team, and operator of its environment dev. */
  dev: "dev@example.com",
  eve: "eve@example.com",
  root: "root@example.com",
  watcher: "watcher@example.com",
  stranger: "stranger@example.com",
} as const;

/** A valid password. */
export const goodPassword = "correct-horse-battery-7";

const access = {
  users: [
    { name: people.ada, role: "admin" },
    { name: people.olga, role: "operator" },
    { name: people.vera, role: "viewer" },
    { name: people.dev, role: "viewer" },
  ],
};
const environments = [{ name: "dev", access: { users: [{ name: people.dev, role: "operator" }] } }, { name: "prod" }];

/** A complete server with two unrelated teams, each with a cluster, an add-on and a provider. */
export async function startPlatform(
  name: string,
  options: Parameters<typeof startWholeServer>[1] = {},
): Promise<WholeServer> {
  const platform = await startWholeServer(name, options);
  const { cluster, state } = platform;
  const { client } = cluster;
  try {
    await bindPlatform(cluster);
    await client.create(Team, newObject(Team, { name: "payments" }, { spec: { access, environments } }));
    const ofBilling = { access: { users: [{ name: people.eve, role: "admin" }] } };
    await client.create(Team, newObject(Team, { name: "billing" }, { spec: ofBilling }));
    for (const [team, clusterName] of [
      ["payments", "shop"],
      ["billing", "ledger"],
    ] as const)
      await fillTeam(platform, team, clusterName);
    for (const [account, platformRole] of [
      ["root", "admin"],
      ["watcher", "viewer"],
    ] as const) {
      const spec = { email: people[account], authType: "sso", platformRole };
      await client.create(User, newObject(User, { name: account }, { spec }));
    }
    await eventually(() => state.teams.size === 2 && state.clusters.size === 2 && state.users.size === 2);
    await eventually(() => state.clusters.list().every(({ status }) => status?.tenantNamespace !== undefined));
    return platform;
  } catch (error) {
    await platform.stop();
    throw error;
  }
}

async function fillTeam({ cluster }: WholeServer, team: string, name: string): Promise<void> {
  const { client, controlPlane } = cluster;
  const inside = `${name}-11111111`;
  for (const namespace of [team, inside]) {
    await cluster.createNamespace(namespace);
    for (const role of ["viewer", "operator", "admin"] as const) {
      const rules = teamNamespaceRules(role);
      await client.create(Role, newObject(Role, { name: `butler-team-${role}`, namespace }, { rules }));
    }
  }
  await bindTeam(cluster, team);
  const metadata = { name, namespace: team, labels: { [labels.environment]: "dev" } };
  const spec = { kubernetesVersion: "v1.34.1", teamRef: { name: team }, workers: { replicas: 1 } };
  await client.create(TenantCluster, newObject(TenantCluster, metadata, { spec }));
  const status = { tenantNamespace: inside };
  await client.patch(TenantCluster, metadata, { type: "merge", subresource: "status", patch: { status } });
  const value = (await readFile(controlPlane.kubeconfigPath)).toString("base64");
  await client.create(
    Secret,
    newObject(Secret, { name: `${name}-kubeconfig`, namespace: inside }, { data: { value } }),
  );
  const addon = { clusterRef: { name }, addon: "cilium" };
  await client.create(
    TenantAddon,
    newObject(TenantAddon, { name: `${name}-cilium`, namespace: team }, { spec: addon }),
  );
  const provider = {
    provider: "local",
    scope: { type: "team", teamRef: { name: team } },
    credentialsRef: { name: `${team}-cloud` },
    local: {},
  };
  await client.create(
    ProviderConfig,
    newObject(ProviderConfig, { name: `${team}-cloud`, namespace: team }, { spec: provider }),
  );
}

/** The response to a request of a page: status, and the problem code if any. */
export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Parses a response. */
export async function answerOf(response: Promise<Response> | Response): Promise<Answer> {
  const answer = await response;
  const text = await answer.text();
  const isJson = (answer.headers.get("content-type") ?? "").includes("json");
  const body = (isJson ? JSON.parse(text) : { text }) as Readonly<Record<string, unknown>>;
  return { status: answer.status, code: typeof body["code"] === "string" ? body["code"] : undefined, body };
}

/** Sends a request like a page of the server, and parses the response. */
export function send(
  browser: Browser,
  address: string,
  { method = "GET", body }: { method?: string; body?: unknown } = {},
) {
  return answerOf(method === "GET" ? browser.send(address) : change(browser, address, { method, body }));
}
