import { teamNamespaceRules } from "@butler/access";
import { allResources, type TeamRole } from "@butler/api";
import { createClient, type Client } from "@butler/contract";
import { builtinKinds, type ObjectMeta, rbacGroup } from "@butler/resource";
import { NotFound, Unavailable } from "@butler/std";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { newObject } from "../handlers/writing.ts";
import type { AuditRecord, SignedIn } from "../ports.ts";
import { type RunningServer, type ServerOptions, startServer } from "../start-server.ts";

/** Test users by their bearer token. */
export type People = Readonly<Record<string, SignedIn>>;

/** A server on a real API server, and its audit records. */
export interface Served {
  readonly cluster: TestCluster;
  readonly server: RunningServer;
  readonly records: AuditRecord[];
  /** Makes audit writes fail. */
  readonly faults: { audit: boolean };
  as(token: string): Client;
  request(token: string | undefined, path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts a server that identifies users by their tokens. */
export async function startServed(name: string, people: People, options: Partial<ServerOptions> = {}): Promise<Served> {
  const cluster = await aTestCluster({ resources: allResources });
  const records: AuditRecord[] = [];
  const faults = { audit: false };
  try {
    const server = await startServer({
      client: cluster.client,
      port: 0,
      authenticate: ({ headers }) => {
        const token =
          typeof headers["authorization"] === "string" ? headers["authorization"].replace("Bearer ", "") : "";
        return Promise.resolve(people[token]);
      },
      checkCsrf: ({ headers }) => headers["x-butler-csrf"] !== "wrong",
      audit: {
        commit: (record) => {
          if (faults.audit) return Promise.reject(new Unavailable("the audit log is full"));
          records.push(record);
          return Promise.resolve();
        },
      },
      tenants: { clientFor: () => Promise.reject(new NotFound("no tenant runs in this test")) },
      rateLimits: { normal: { burst: 10_000, perSecond: 10_000 }, strict: { burst: 100, perSecond: 100 } },
      checkAnswers: true,
      ...options,
    });
    const headersOf = (token: string | undefined): Record<string, string> =>
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    return {
      cluster,
      server,
      records,
      faults,
      as: (token) => createClient({ baseUrl: server.url, headers: () => headersOf(token) }),
      request: (token, path, init = {}) =>
        fetch(server.url + path, {
          ...init,
          headers: { ...headersOf(token), ...(init.headers as Record<string, string>) },
        }),
      stop: async () => {
        await server.close();
        await cluster.stop();
      },
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Grants the groups of a team their permissions in its namespace, as the team controller does. */
export async function bindTeam({ client }: TestCluster, team: string): Promise<void> {
  for (const role of ["viewer", "operator", "admin"] as const satisfies readonly TeamRole[]) {
    await bindGroup(client, {
      metadata: { name: `butler-${role}`, namespace: team },
      group: `butler:team:${team}:${role}`,
      rules: teamNamespaceRules(role),
    });
  }
  await bindGroup(client, {
    metadata: { name: `butler-team-${team}-admin` },
    group: `butler:team:${team}:admin`,
    rules: [
      { apiGroups: ["butler.butlerlabs.dev"], resources: ["teams"], resourceNames: [team], verbs: ["get", "patch"] },
    ],
  });
}

/** Grants platform administrators all permissions on Butler's kinds. */
export function bindPlatform({ client }: TestCluster): Promise<void> {
  return bindGroup(client, {
    metadata: { name: "butler-platform-admin" },
    group: "butler:platform:admin",
    rules: [
      { apiGroups: ["butler.butlerlabs.dev"], resources: ["*"], verbs: ["*"] },
      { apiGroups: [""], resources: ["secrets"], verbs: ["get", "create", "patch", "update", "delete"] },
    ],
  });
}

/** A permission of a group: in one namespace, or cluster-wide without one. */
export interface GroupRight {
  readonly metadata: ObjectMeta;
  readonly group: string;
  readonly rules: readonly object[];
}

/** Grants a permission to a group. */
export async function bindGroup(
  client: TestCluster["client"],
  { metadata, group: name, rules }: GroupRight,
): Promise<void> {
  const { Role, RoleBinding, ClusterRole, ClusterRoleBinding } = builtinKinds;
  const [role, binding] = metadata.namespace === undefined ? [ClusterRole, ClusterRoleBinding] : [Role, RoleBinding];
  await client.create(role, newObject(role, metadata, { rules }));
  const roleRef = { apiGroup: rbacGroup, kind: role.kind, name: metadata.name };
  const subjects = [{ apiGroup: rbacGroup, kind: "Group", name }];
  await client.create(binding, newObject(binding, metadata, { roleRef, subjects }));
}

const person = (email: string, rest: Partial<SignedIn> = {}): SignedIn => ({ person: { email, groups: [] }, ...rest });
/** The users of server tests: one per team role, one without a team, and one per platform role. */
export const teamPeople = {
  ada: person("ada@example.com"),
  olga: person("olga@example.com"),
  vera: person("vera@example.com"),
  eve: person("eve@example.com"),
  root: person("root@example.com", { platformRole: "admin" }),
  watcher: person("watcher@example.com", { platformRole: "viewer" }),
};
