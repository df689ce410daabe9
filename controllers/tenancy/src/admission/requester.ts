import { isPlatformAdmin, isSameEmail, type Person } from "@butler/access";
import { User } from "@butler/api";
import { type AdmissionUser, type KubeClient, listAll } from "@butler/kube";
import type { DynamicObject, Kind } from "@butler/resource";
import { isRecord } from "@butler/std";

/** Who asks, and what that person may do beyond their teams. */
export interface Requester {
  readonly person: Person;
  /** One of Butler's own programs, which have judged the person they act for before. */
  readonly isTrusted: boolean;
  readonly isPlatformAdmin: boolean;
}

/** Where judgements about people are read. */
export interface AuthoritySource {
  readonly client: Pick<KubeClient, "list" | "create">;
  /** Usernames of Butler's own programs. */
  readonly trustedUsernames: ReadonlySet<string>;
}

const subjectAccessReview: Kind = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  scope: "Cluster",
};

/**
 * The right by which somebody without an account, such as a pipeline or the installation's first administrator, is a
 * platform administrator. It is a verb of its own, so that nobody has it by accident: whoever may do everything has it,
 * and a ClusterRole can give it.
 */
const administer = { group: "butler.butlerlabs.dev", resource: "butlerconfigs", name: "butler", verb: "administer" };

/** The person behind a request, without asking anybody. */
export function personOf({ username, groups }: AdmissionUser): Person {
  return { email: username, groups };
}

/** Finds out what a requester may do. An account with their name is the last word; without one, Kubernetes is asked. */
export async function readRequester(
  user: AdmissionUser,
  { client, trustedUsernames }: AuthoritySource,
  signal: AbortSignal,
): Promise<Requester> {
  const person = personOf(user);
  if (trustedUsernames.has(user.username)) return { person, isTrusted: true, isPlatformAdmin: true };
  const users: User[] = [];
  for await (const each of listAll(client, User, { signal })) users.push(each);
  const hasAccount = users.some(({ spec }) => isSameEmail(spec.email, user.username));
  const isAdmin = hasAccount ? isPlatformAdmin(person, users) : await mayAdminister(user, client, signal);
  return { person, isTrusted: false, isPlatformAdmin: isAdmin };
}

async function mayAdminister(
  { username, uid, groups }: AdmissionUser,
  client: Pick<KubeClient, "create">,
  signal: AbortSignal,
): Promise<boolean> {
  const review: DynamicObject = {
    apiVersion: "authorization.k8s.io/v1",
    kind: subjectAccessReview.kind,
    metadata: { name: "" },
    spec: { user: username, uid, groups, resourceAttributes: administer },
  };
  const { status } = await client.create(subjectAccessReview, review, { signal });
  return isRecord(status) && status["allowed"] === true;
}
