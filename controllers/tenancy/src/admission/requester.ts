import {
  accountsOf,
  cliAccountName,
  isPlatformAdmin,
  type Person,
  personOfUser,
  platformGroup,
  userOfCliAccount,
  usersGroup,
} from "@butler/access";
import { namespaces, User } from "@butler/api";
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

/** Somebody, as what they are called and the accounts that there are tell them. */
export interface Identified {
  readonly person: Person;
  /** Theirs. There should be one at most; none for programs, and for people from before there were accounts. */
  readonly accounts: readonly User[];
}

const cliPrefix = `system:serviceaccount:${namespaces.system}:${cliAccountName("")}`;

/** Whether a name is that of a command line, behind which there is a person. */
export function isCliAccount(username: string): boolean {
  return username.startsWith(cliPrefix);
}

/**
 * The person behind a request. At a command line they have the name of a ServiceAccount, and through Butler's server the
 * groups of the server's making: what their identity provider says about groups is found in their account then.
 */
export function identify({ username, groups }: AdmissionUser, users: readonly User[]): Identified {
  const own = userOfCliAccount(username, namespaces.system, users);
  if (own !== undefined) return { person: personOfUser(own), accounts: [own] };
  const accounts = accountsOf({ email: username }, users);
  const [account] = accounts;
  const isServed = groups.includes(usersGroup);
  const person = isServed && account !== undefined ? personOfUser(account) : { email: username, groups };
  return { person, accounts };
}

/** Every account there is, from the server itself. */
export async function listUsers(client: Pick<KubeClient, "list">, signal: AbortSignal): Promise<User[]> {
  const users: User[] = [];
  for await (const each of listAll(client, User, { signal })) users.push(each);
  return users;
}

/**
 * Finds out what a requester may do. Butler's server says by a group whom it has found to be a platform administrator,
 * and nobody else can put anybody into it; else an account is the last word, and without one, Kubernetes is asked.
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
