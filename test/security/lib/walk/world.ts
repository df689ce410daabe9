import { builtinKinds, type Kind } from "@butler/resource";
import type { TestCluster } from "@butler/testkit";

/** An object by namespace and name. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** All that an attacker knows about a cluster: every name in it. */
export interface World {
  readonly namespaces: readonly string[];
  readonly accounts: readonly Place[];
  readonly roles: readonly Place[];
  readonly clusterRoles: readonly string[];
  readonly clusterRoleBindings: readonly string[];
  readonly webhooks: readonly { readonly plural: string; readonly name: string }[];
  readonly policies: readonly { readonly plural: string; readonly name: string }[];
  readonly people: readonly string[];
  readonly groups: readonly string[];
}

/** A namespace unrelated to Butler, with an account that is bound to cluster-admin, as many clusters have for a pipeline. */
export const elsewhere = { namespace: "elsewhere", name: "deployer" } as const;

/** The name of the object of each kind that is planted in every namespace. */
export const planted = "planted";

const { Namespace, ServiceAccount, Secret, ConfigMap, Pod, Role, ClusterRole, ClusterRoleBinding } = builtinKinds;

const admissionKind = (kind: string, plural: string): Kind => ({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind,
  plural,
  scope: "Cluster",
});
const webhookKinds = [
  admissionKind("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
  admissionKind("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
];
const policyKinds = [
  admissionKind("ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
  admissionKind("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"),
];

/** Puts a Secret, a ConfigMap and a pod into every namespace, and the pipeline's account into its own. */
export async function plantTargets({ client }: TestCluster): Promise<void> {
  await create(client, Namespace, { name: elsewhere.namespace });
  const names = (await client.list(Namespace)).items.map(({ metadata }) => metadata.name);
  for (const namespace of names) {
    await create(client, ServiceAccount, { namespace, name: "default" });
    await create(client, Secret, { namespace, name: planted }, { stringData: { password: "planted" } });
    await create(client, ConfigMap, { namespace, name: planted }, { data: { setting: "planted" } });
    await create(client, Pod, { namespace, name: planted }, { spec: podSpec() });
  }
  await create(client, ServiceAccount, elsewhere);
  await create(client, ServiceAccount, { namespace: "kube-system", name: "clusterrole-aggregation-controller" });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
  const subjects = [{ kind: "ServiceAccount", ...elsewhere }];
  await create(client, ClusterRoleBinding, { name: "deployer" }, { roleRef, subjects });
}

/** A pod that every Pod Security Standard allows. */
export function podSpec(further: object = {}, ofContainer: object = {}): object {
  const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
  return {
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: "RuntimeDefault" } },
    containers: [{ name: "main", image: "registry.example/shell:1", securityContext, ...ofContainer }],
    ...further,
  };
}

async function create(
  client: TestCluster["client"],
  kind: Kind,
  metadata: { readonly name: string; readonly namespace?: string },
  fields: object = {},
): Promise<void> {
  if ((await client.find(kind, metadata)) !== undefined) return;
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  await client.create(kind, { apiVersion, kind: kind.kind, metadata, ...fields });
}

/** Reads all names. */
export async function surveyWorld(
  { client }: TestCluster,
  { people, groups }: Pick<World, "people" | "groups">,
): Promise<World> {
  const all = async (kind: Kind): Promise<Place[]> =>
    (await client.list(kind)).items.map(({ metadata }) => ({
      namespace: metadata.namespace ?? "",
      name: metadata.name,
    }));
  const named = async (kinds: readonly Kind[]) =>
    (
      await Promise.all(kinds.map(async (kind) => (await all(kind)).map(({ name }) => ({ plural: kind.plural, name }))))
    ).flat();
  const names = async (kind: Kind): Promise<string[]> => (await all(kind)).map(({ name }) => name);
  return {
    namespaces: await names(Namespace),
    accounts: await all(ServiceAccount),
    roles: await all(Role),
    clusterRoles: await names(ClusterRole),
    clusterRoleBindings: await names(ClusterRoleBinding),
    webhooks: await named(webhookKinds),
    policies: await named(policyKinds),
    people,
    groups,
  };
}
