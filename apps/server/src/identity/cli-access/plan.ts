import { cliAccountName, type CliGrants, cliNamespaceOf } from "@butler/access";
import { labels, managedByButler } from "@butler/api";
import { builtinKinds, type DynamicObject, type Kind, keyText, rbacGroup } from "@butler/resource";

/** The label with the uid of the User that an object of command line access was made for. */
export const cliAccountLabel = "butler.butlerlabs.dev/cli-account";

/** A user with a signed-in command line, and their roles. */
export interface CliPerson {
  readonly uid: string;
  readonly email: string;
  readonly grants: CliGrants;
}

/** An object with its kind. */
export interface Planned {
  readonly kind: Kind;
  readonly object: DynamicObject;
}

/** Changes in order: removals first, accounts after their bindings. */
export interface CliPlan {
  readonly remove: readonly Planned[];
  readonly create: readonly Planned[];
}

const { ServiceAccount, RoleBinding, ClusterRoleBinding } = builtinKinds;

/**
 * Plans the accounts and bindings. The roleRef of a binding is immutable, so the role is part of the name; a binding
 * that differs from the plan is recreated.
 */
export function planCliAccess(people: readonly CliPerson[], existing: readonly Planned[]): CliPlan {
  const wanted = new Map(people.flatMap(objectsOf).map((planned) => [idOf(planned), planned]));
  const present = new Map(existing.map((planned) => [idOf(planned), planned]));
  const isRight = ([id, { object }]: [string, Planned]): boolean => {
    const found = present.get(id)?.object;
    return found !== undefined && found.metadata.deletionTimestamp === undefined && isSame(found, object);
  };
  const missing = [...wanted].filter((entry) => !isRight(entry));
  const wrong = [...present].filter(([id]) => !wanted.has(id) || missing.some(([other]) => other === id));
  return { remove: wrong.map(([, planned]) => planned), create: missing.map(([, planned]) => planned) };
}

function objectsOf({ uid, email, grants }: CliPerson): Planned[] {
  const [name, home] = [cliAccountName(uid), cliNamespaceOf(grants.platformRole)];
  const own = { [labels.managedBy]: managedByButler, [cliAccountLabel]: uid };
  const annotations = { "butler.butlerlabs.dev/email": email };
  const subjects = [{ kind: "ServiceAccount", name, namespace: home }];
  const ofNamespaces = grants.namespaces.map(({ namespace, role }): Planned => {
    const roleRef = { apiGroup: rbacGroup, kind: "Role", name: `butler-team-${role}` };
    const metadata = { name: `${name}-${role}`, namespace, labels: own, annotations };
    return { kind: RoleBinding, object: { ...typeOf(RoleBinding), metadata, roleRef, subjects } };
  });
  const { platformRole } = grants;
  const metadata = { name: `${name}-platform-${platformRole ?? ""}`, labels: own, annotations };
  const roleRef = { apiGroup: rbacGroup, kind: "ClusterRole", name: `butler-platform-${platformRole ?? ""}` };
  const ofPlatform: Planned = {
    kind: ClusterRoleBinding,
    object: { ...typeOf(ClusterRoleBinding), metadata, roleRef, subjects },
  };
  const account: Planned = {
    kind: ServiceAccount,
    object: {
      ...typeOf(ServiceAccount),
      metadata: { name, namespace: home, labels: own, annotations },
      automountServiceAccountToken: false,
    },
  };
  return [...ofNamespaces, ...(platformRole === undefined ? [] : [ofPlatform]), account];
}

function typeOf({ group, version, kind }: Kind): { apiVersion: string; kind: string } {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind };
}

function idOf({ kind, object }: Planned): string {
  return `${kind.kind} ${keyText(object.metadata)}`;
}

/** Compares only the fields that grant access; other metadata does not matter. */
function isSame(found: DynamicObject, wanted: DynamicObject): boolean {
  return rightsText(found) === rightsText(wanted);
}

function rightsText(object: DynamicObject): string {
  const roleRef = (object["roleRef"] ?? {}) as { kind?: string; name?: string };
  const subjects = (object["subjects"] ?? []) as readonly { kind?: string; name?: string; namespace?: string }[];
  const texts = subjects.map(({ kind, name, namespace }) => [kind, namespace, name].join("/"));
  return JSON.stringify([roleRef.kind, roleRef.name, texts, object["automountServiceAccountToken"]]);
}
