import type { PolicyRule } from "@butler/access";
import { builtinKinds, rbacGroup } from "@butler/resource";
import { eventually } from "@butler/testkit";
import type { AdmissionHarness } from "./admission-harness.ts";

const subjectAccessReview = {
  group: "authorization.k8s.io",
  version: "v1",
  apiVersion: "authorization.k8s.io/v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  scope: "Cluster",
} as const;

/** Permissions for a user, in one namespace or cluster-wide. */
export interface Allowance {
  readonly user: string;
  readonly namespace: string | undefined;
  readonly rules: readonly PolicyRule[];
}

/** Grants permissions to a user, and waits until the API server, which watches roles, applies them. */
export async function allowIn(harness: AdmissionHarness, { user, namespace, rules }: Allowance): Promise<void> {
  const [role, binding] =
    namespace === undefined
      ? [builtinKinds.ClusterRole, builtinKinds.ClusterRoleBinding]
      : [builtinKinds.Role, builtinKinds.RoleBinding];
  const metadata = { name: user.replace("@", "-"), ...(namespace === undefined ? {} : { namespace }) };
  const apiVersion = `${rbacGroup}/v1`;
  await harness.create({ ...role, apiVersion }, { metadata, rules });
  const roleRef = { apiGroup: rbacGroup, kind: role.kind, name: metadata.name };
  const subjects = [{ apiGroup: rbacGroup, kind: "User", name: user }];
  await harness.create({ ...binding, apiVersion }, { metadata, roleRef, subjects });
  const { apiGroups = [], resources = [], verbs = [], resourceNames = [] } = rules.at(-1) ?? {};
  const [group, resource, verb, name] = [apiGroups[0], resources[0], verbs[0], resourceNames[0]];
  const spec = { user, resourceAttributes: { namespace, group, resource, verb, name } };
  const isAllowed = async (): Promise<boolean> => {
    const { status } = await harness.create(subjectAccessReview, { metadata: {}, spec });
    return (status as { allowed?: boolean }).allowed === true;
  };
  await eventually(isAllowed, { what: `${user} to be allowed to ${verb} ${resource}` });
}
