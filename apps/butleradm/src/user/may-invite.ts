import { User } from "@butler/api";
import type { Session } from "@butler/cli-session";
import type { DynamicObject, Kind } from "@butler/resource";
import { Forbidden, isRecord } from "@butler/std";

const review: Kind = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SelfSubjectAccessReview",
  plural: "selfsubjectaccessreviews",
  scope: "Cluster",
};

/**
 * Fails without permission to store invitations, before an unusable account is created. They are stored in the status
 * of accounts, which butler-server and administrators of the management cluster can update.
 */
export async function requireInviting({ client, signal }: Session): Promise<void> {
  const resourceAttributes = { group: User.group, resource: User.plural, subresource: "status", verb: "patch" };
  const question: DynamicObject = {
    apiVersion: `${review.group}/${review.version}`,
    kind: review.kind,
    metadata: { name: "" },
    spec: { resourceAttributes },
  };
  const { status }: DynamicObject = await client.create(review, question, { signal });
  if (isRecord(status) && status["allowed"] === true) return;
  throw new Forbidden("you don't have permission to store invitations in account status; nothing was changed", {
    hint: "Invite users in the console, or use a kubeconfig with administrator permissions on the management cluster.",
  });
}
