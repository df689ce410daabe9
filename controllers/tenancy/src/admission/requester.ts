import {
  accountsOf,
  isPlatformAdmin,
  type Person,
  personOfUser,
  platformGroup,
  userOfCliAccount,
  usersGroup,
} from "@butler/access";
import { User } from "@butler/api";
import { type AdmissionUser, type KubeClient, listAll } from "@butler/kube";
import type { DynamicObject, Kind } from "@butler/resource";
import { isRecord } from "@butler/std";

/** The user who sent the request, and their permissions beyond their teams. */
export interface Requester {
  readonly person: Person;
  /** One of Butler's own components, which have already authorized the user they act for. */
  readonly isTrusted: boolean;
  readonly isPlatformAdmin: boolean;
}

/** Where the facts for validating people are read. */
export interface AuthoritySource {
  readonly client: Pick<KubeClient, "list" | "create">;
  /** Usernames of Butler's own components. */
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
 * The permission that makes a user without an account, such as a pipeline or the installation's first administrator, a
 * platform administrator. It is a separate verb, so that no user has it by accident: cluster-admin includes it,
 * and a ClusterRole can grant it.
 */
const administer = { group: "butler.butlerlabs.dev", resource: "butlerconfigs", name: "butler", verb: "administer" };

/** A user, identified by the username and the accounts. */
export interface Identified {
  readonly person: Person;
  /** The user's accounts. At most one; none for components, and for users who predate accounts. */
  readonly accounts: readonly User[];
}

/**
 * The user behind a request. With the CLI the username is that of a ServiceAccount, and through Butler's server the
 * groups are set by the server: the groups from the identity provider are in the account then.
 */
export function identify({ username, groups }: AdmissionUser, users: readonly User[]): Identified {
  const own = userOfCliAccount(username, users);
  if (own !== undefined) return { person: personOfUser(own), accounts: [own] };
  const accounts = accountsOf({ email: username }, users);
  const [account] = accounts;
  const isServed = groups.includes(usersGroup);
  const person = isServed && account !== undefined ? personOfUser(account) : { email: username, groups };
  return { person, accounts };
}

/** All accounts, from the API server itself. */
export async function listUsers(client: Pick<KubeClient, "list">, signal: AbortSignal): Promise<User[]> {
  const users: User[] = [];
  for await (const each of listAll(client, User, { signal })) users.push(each);
  return users;
}

/**
 * Reads a requester's permissions. Butler's server marks platform administrators with a group,
 * which no other client can add; otherwise the account decides, and without one, a SubjectAccessReview.
 */
export async function readRequester(
  user: AdmissionUser,
  { client, trustedUsernames }: AuthoritySource,
  signal: AbortSignal,
): Promise<Requester> {
  const { username, groups } = user;
  if (trustedUsernames.has(username)) {
    return { person: { email: username, groups }, isTrusted: true, isPlatformAdmin: true };
  }
  const { person, accounts } = identify(user, await listUsers(client, signal));
  const isSaidSo = groups.includes(platformGroup("admin"));
  const byAccount = () =>
    accounts.length > 0 ? isPlatformAdmin(person, accounts) : mayAdminister(user, client, signal);
  return { person, isTrusted: false, isPlatformAdmin: isSaidSo || (await byAccount()) };
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
