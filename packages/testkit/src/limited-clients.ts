import { buildClusterRole } from "@butler/controller";
import { connect, type ConnectedClient, KubeConfig } from "@butler/kube";
import { builtinKinds, rbacGroup } from "@butler/resource";
import type { TestCluster } from "./test-cluster.ts";

/** The API server as seen by a user with limited permissions. Close it in any case. */
export async function connectAs(
  { controlPlane }: Pick<TestCluster, "controlPlane">,
  user: string,
  groups: readonly string[] = [],
): Promise<ConnectedClient> {
  const { kubeconfig } = await controlPlane.issueClientCertificate({ user, groups });
  const config = new KubeConfig();
  config.loadFromString(JSON.stringify(kubeconfig));
  return connect(config);
}

/** The same for a process with exactly the permissions that controllers declare. */
export async function connectAsController(
  cluster: Pick<TestCluster, "client" | "controlPlane">,
  name: string,
  definitions: Parameters<typeof buildClusterRole>[1],
): Promise<ConnectedClient> {
  await cluster.client.create(builtinKinds.ClusterRole, buildClusterRole(name, definitions));
  await allow(cluster, name, name);
  return connectAs(cluster, name);
}

/** Binds a ClusterRole to a user in the whole cluster. */
export async function allow({ client }: Pick<TestCluster, "client">, user: string, role: string): Promise<void> {
  const binding = {
    apiVersion: `${rbacGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: `${role}-${user}` },
    roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: role },
    subjects: [{ apiGroup: rbacGroup, kind: "User", name: user }],
  };
  await client.create(builtinKinds.ClusterRoleBinding, binding);
}
