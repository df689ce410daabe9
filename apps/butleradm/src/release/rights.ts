import type { Session } from "@butler/cli-session";

interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string | undefined;
}

/** Permissions that an installation or upgrade needs; other objects of the chart need the same ones. */
function neededRights(namespace: string): Right[] {
  const cluster: readonly (readonly [string, string])[] = [
    ["apiextensions.k8s.io", "customresourcedefinitions"],
    ["rbac.authorization.k8s.io", "clusterroles"],
    ["rbac.authorization.k8s.io", "clusterrolebindings"],
    ["admissionregistration.k8s.io", "validatingwebhookconfigurations"],
    ["admissionregistration.k8s.io", "mutatingwebhookconfigurations"],
    ["admissionregistration.k8s.io", "validatingadmissionpolicies"],
    ["admissionregistration.k8s.io", "validatingadmissionpolicybindings"],
    ["", "namespaces"],
  ];
  const inside: readonly (readonly [string, string])[] = [
    ["apps", "deployments"],
    ["", "services"],
    ["", "serviceaccounts"],
    ["", "secrets"],
  ];
  return [
    ...cluster.flatMap(([group, resource]) => ["create", "patch"].map((verb) => ({ verb, group, resource }))),
    ...inside.flatMap(([group, resource]) => ["create", "patch"].map((verb) => ({ verb, group, resource, namespace }))),
    // Without this permission, Kubernetes does not allow granting permissions that the user lacks.
    { verb: "escalate", group: "rbac.authorization.k8s.io", resource: "clusterroles" },
  ];
}

/** The permissions that the user lacks for an installation, as text. */
export async function missingRights(session: Session, namespace: string): Promise<string[]> {
  if (await isAllowed(session, { verb: "*", group: "*", resource: "*" })) return [];
  const asked = await Promise.all(
    neededRights(namespace).map(async (right) => ({ right, isAllowed: await isAllowed(session, right) })),
  );
  return asked.filter((answer) => !answer.isAllowed).map(({ right }) => `${right.verb} ${right.resource}`);
}

async function isAllowed({ transport, signal }: Session, right: Right): Promise<boolean> {
  const { status } = await transport.json<{ status?: { allowed?: boolean } }>({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: right },
    },
    signal,
    action: "check your permissions",
  });
  return status?.allowed === true;
}
