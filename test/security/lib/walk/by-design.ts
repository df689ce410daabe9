/** What a component reaches by design, and why it is not less. */
export type Reasons = Readonly<Record<string, string>>;

const readsSecrets = "it watches Secrets of tenants in every namespace; Kubernetes cannot limit a read to some";
const webhooks =
  "it renews the certificate in its own webhooks; policies do not apply to webhooks, so it could change writes of others";
const ofTenants = "it creates the Secrets of control planes in whatever namespace they are";

/** Every namespace of a sort, except those that are left out. */
function inPlaces(what: string, reason: string, places: readonly string[]): Reasons {
  return Object.fromEntries(places.map((place) => [`${what} ${place}`, reason]));
}

const everywhere = [
  "of Butler",
  "of command lines",
  "of terminals",
  "of Kubernetes",
  "of others",
  "of teams",
  "of clusters",
];
const tenants = ["of others", "of teams", "of clusters"];

/** The only powers that a walk from a component may reach. `docs/component-permissions.md` has the same list. */
export const byDesign: Readonly<Record<string, Reasons>> = {
  "butler-server": {
    "becomes any user with an account": "it acts for every user, so it has what all of them have together",
    "becomes any command line": "it creates the accounts of command lines and their tokens",
    "becomes any command line of a platform administrator": "the same for platform administrators",
    "creates accounts of command lines": "one for each user with a signed-in command line",
    "deletes ClusterRoleBinding butler-cli-11111111-platform-admin": "it removes roles of command lines",
    "reads Secrets of Butler": "sessions, passwords and identity providers; providers for platform administrators",
    "lists Secrets of Butler": "it watches its sessions",
    "writes Secrets of Butler": "as a platform administrator: credentials of providers, and no Secret of a component",
    "writes ConfigMaps of Butler": "the position of the audit export",
    "reads Secrets of teams": "as an administrator of the team: credentials of providers",
    "lists Secrets of teams": "the same",
    "writes Secrets of teams": "the same",
    "reads Secrets of clusters": "kubeconfigs and certificates of tenants",
    "lists Secrets of clusters": "the same",
    "writes Secrets of clusters": "it requests the rotation of certificates",
    "runs pods of terminals": "terminals",
    "enters pods of terminals": "terminals",
    "reads Secrets of terminals": "the kubeconfig of each terminal",
    "writes Secrets of terminals": "the same",
  },
  "butler-controller": {
    ...inPlaces("reads Secrets", readsSecrets, everywhere),
    ...inPlaces("lists Secrets", readsSecrets, everywhere),
    "writes Secrets of Butler": "the certificate of its webhooks; not the Secrets of other components",
    "writes Secrets of teams": "it creates the namespaces of teams and everything in them",
    "writes Secrets of clusters": "credentials of machines",
    ...inPlaces("changes the namespace", "it created the namespace", ["payments", "shop-11111111"]),
    ...inPlaces("deletes the namespace", "it created the namespace", ["payments", "shop-11111111"]),
    "creates any ClusterRole": "under the name of a team only, and with no permissions but on that Team",
    "empties ClusterRole butler-server-people":
      "it lists whom the server may impersonate; only users and groups of teams",
    "creates any Role of teams": "the Roles of teams, with a fixed list of resources",
    "creates any Role of clusters": "the same",
    "changes the webhooks of butler-controller": webhooks,
  },
  "butler-steward": {
    ...inPlaces("reads Secrets", readsSecrets, everywhere),
    ...inPlaces("lists Secrets", readsSecrets, everywhere),
    ...inPlaces("writes Secrets", ofTenants, tenants),
    "writes Secrets of Butler": "keys of the default DataStore; not the Secrets of other components",
    ...inPlaces("writes ConfigMaps", ofTenants, tenants),
    "writes ConfigMaps of Butler": "settings of the default DataStore",
    ...inPlaces("runs pods", "control planes, without tokens and without access to their node", tenants),
    "runs pods of Butler": "the etcd of the default DataStore",
    "changes the webhooks of butler-steward": webhooks,
  },
  // This account can take over the nodes: the local provider is off by default, and for laptops and trusted tenants.
  "butler-local-provider": {
    ...inPlaces("reads Secrets", readsSecrets, everywhere),
    ...inPlaces("lists Secrets", readsSecrets, everywhere),
    ...inPlaces("writes Secrets", "bootstrap files of machines, in the namespace of their LocalMachine", tenants),
    "writes Secrets of Butler": "bootstrap files of machines; it cannot write the Secrets of other components",
    ...inPlaces("runs pods", "machines", tenants),
    ...inPlaces("runs pods with SYS_ADMIN", "machines need SYS_ADMIN, with which they can reach their node", tenants),
  },
  "butler-sni-gateway": {},
};

const own = /^(butler-system|butler-cli|butler-cli-admins|butler-terminals)\//;

/** Identities that are not of this installation: where they lead to is not Butler's to say. */
export function isForeign(name: string): boolean {
  return isAccount(name) ? !own.test(name) : name.startsWith("system:");
}

function isAccount(name: string): boolean {
  return /^[\w.-]+\/[\w.-]+$/.test(name);
}

const places: readonly (readonly [RegExp, string])[] = [
  [/ in (kube-system|kube-public|kube-node-lease)$/, " of Kubernetes"],
  [/ in (default|elsewhere)$/, " of others"],
  [/ in payments$/, " of teams"],
  [/ in shop-11111111$/, " of clusters"],
  [/ in butler-system$/, " of Butler"],
  [/ in butler-(cli|cli-admins)$/, " of command lines"],
  [/ in butler-terminals$/, " of terminals"],
  [/ (kube-system|kube-public|kube-node-lease)$/, " of Kubernetes"],
  [/^becomes (kube-system|kube-public|kube-node-lease)\/.*/, "becomes an account of Kubernetes"],
  [/^becomes (default|elsewhere)\/.*/, "becomes an account of others"],
  [/^becomes (payments|shop-11111111)\/.*/, "becomes an account of teams"],
  [/^becomes butler-cli\/.*/, "becomes any command line"],
  [/^becomes butler-cli-admins\/.*/, "becomes any command line of a platform administrator"],
  [/^becomes butler-terminals\/.*/, "becomes the account of terminals"],
  [/^becomes (root|ada)@example\.com.*/, "becomes any user with an account"],
];

/** A power with the place in words, so that one line stands for all namespaces of a sort. */
export function inWords(text: string): string {
  const [pattern, words] = places.find(([each]) => each.test(text)) ?? [/$/, ""];
  return text.replace(pattern, words);
}
