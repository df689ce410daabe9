import { allResources, namespaces, Team, TenantCluster, User } from "@butler/api";
import { loadKubeConfig } from "@butler/kube";
import { builtinKinds, type ObjectKey } from "@butler/resource";
import { NotFound } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { createInvitation } from "@butler/administration";
import { newObject } from "../handlers/writing.ts";
import type { RunningServer } from "../start-server.ts";
import { terminalNamespace } from "../terminal/manifests.ts";
import { startWholeServer } from "../whole-server.ts";

/** The headers that a page of the server sends with every request after sign-in. */
export interface SessionHeaders {
  readonly cookie: string;
  readonly "x-butler-csrf": string;
}

/** A complete server: sign-in, audit log, live channels, command lines and terminals. */
export interface ServerForTests {
  readonly cluster: TestCluster;
  readonly server: RunningServer;
  /** Signs in with the test password. */
  signIn(email: string): Promise<SessionHeaders>;
  stop(): Promise<void>;
}

const password = "correct horse battery";
const unlimited = { burst: 1e6, perSecond: 1e6 };
const { Namespace, Secret } = builtinKinds;

/** Options of a test server. */
export interface ServerForTestsOptions {
  readonly logger: Logger;
}

/** Starts a server like its role does, except for nodes and other clusters, which tests do not have. */
export async function startServerForTests({ logger }: ServerForTestsOptions): Promise<ServerForTests> {
  const cluster = await aTestCluster({ resources: allResources });
  try {
    for (const each of [namespaces.system, namespaces.cli, namespaces.cliAdmins, terminalNamespace])
      await cluster.createNamespace(each);
    const server = await startWholeServer({
      ...placeOf(cluster),
      logger,
      port: 0,
      tenants: {
        // The test cluster stands in for the existing tenant; the other tenants are not provisioned.
        clientFor: ({ name: wanted }: ObjectKey) =>
          wanted === "shop"
            ? Promise.resolve(cluster.client)
            : Promise.reject(new NotFound(`${wanted} has no kubeconfig yet`)),
      },
      terminalImage: { image: "registry.example.com/terminal:1" },
      signIn: { passwordCost: 4, failureMs: 1, times: { accessMs: 3_600_000 } },
      commandLines: { codeLimit: unlimited },
      rateLimits: { normal: unlimited, strict: unlimited },
      checkAnswers: true,
    });
    const stop = async (): Promise<void> => {
      await server.close();
      await cluster.stop();
    };
    return { cluster, server, stop, signIn: (email) => signInAt(server, email) };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** How the server and users access a test cluster. */
export function placeOf({ client, controlPlane }: TestCluster) {
  const config = loadKubeConfig(controlPlane.kubeconfigPath);
  const { server = "", caData = "" } = config.getCurrentCluster() ?? {};
  return { client, config, kubernetes: { server, caPem: Buffer.from(caData, "base64").toString() } };
}

async function signInAt({ url }: RunningServer, email: string): Promise<SessionHeaders> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const set = answer.headers.getSetCookie().map((text) => text.split(";")[0] ?? "");
  const valueOf = (name: string): string | undefined =>
    set.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  const [session, csrf] = [valueOf("butler_session"), valueOf("butler_csrf")];
  if (session === undefined || csrf === undefined) throw new Error(`${email} could not sign in: ${answer.status}`);
  return { cookie: `butler_session=${session}; butler_csrf=${csrf}`, "x-butler-csrf": csrf };
}

/** Creates an account with the test password, as an invited user would. */
export async function addPerson(
  { cluster, server }: Pick<ServerForTests, "cluster" | "server">,
  name: string,
  spec: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const email = `${name}@example.com`;
  await cluster.client.create(User, newObject(User, { name }, { spec: { email, authType: "internal", ...spec } }));
  const { token, tokenHash, expiresAt } = createInvitation(new Date());
  const patch = { status: { inviteTokenHash: tokenHash, inviteExpiresAt: expiresAt } };
  await cluster.client.patch(User, { name }, { type: "merge", subresource: "status", patch });
  await eventually(() => server.state.users.get({ name })?.status?.inviteTokenHash === tokenHash);
  const answer = await fetch(`${server.url}/api/auth/set-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, password }),
  });
  if (answer.status !== 200) throw new Error(`${name} got no password: ${answer.status}`);
}

/** Creates a cluster of a team, with a kubeconfig if it is provisioned. */
export async function addCluster(
  { cluster: { client } }: Pick<ServerForTests, "cluster">,
  key: ObjectKey,
): Promise<void> {
  const { name, namespace = "" } = key;
  const inside = `${name}-11111111`;
  await client.create(Namespace, newObject(Namespace, { name: inside }, {}));
  const kubeconfig = { name: `${name}-kubeconfig`, namespace: inside };
  const value = Buffer.from("apiVersion: v1\nkind: Config\n").toString("base64");
  await client.create(Secret, newObject(Secret, kubeconfig, { data: { value } }));
  const spec = {
    kubernetesVersion: "v1.34.1",
    providerConfigRef: { name: "local" },
    teamRef: { name: namespace },
    workers: { replicas: 1 },
  };
  await client.create(TenantCluster, newObject(TenantCluster, { name, namespace }, { spec }));
  const patch = { status: { tenantNamespace: inside, phase: "Ready" } };
  await client.patch(TenantCluster, key, { type: "merge", subresource: "status", patch });
}

/** Creates a team with members of every role, and its namespace. */
export async function addTeam({ cluster }: Pick<ServerForTests, "cluster">, name: string): Promise<void> {
  await cluster.createNamespace(name);
  const users = ["viewer", "operator", "admin"].map((role) => ({ name: `${role}@example.com`, role }));
  const spec = { access: { users }, environments: [{ name: "dev" }] };
  await cluster.client.create(Team, newObject(Team, { name }, { spec }));
}
