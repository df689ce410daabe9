import { type Actor, type Call, isAllowed, isRefusedByPolicy } from "./actor.ts";
import { type Gain, power } from "./gains.ts";
import type { Step, StepContext } from "./steps-identity.ts";
import { planted } from "./world.ts";

const dry = "?dryRun=All";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const rbacVersion = "rbac.authorization.k8s.io/v1";
const admission = "/apis/admissionregistration.k8s.io/v1";
const merge = "application/merge-patch+json";
const everything = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];

/** One request, and what it gains when it is accepted. */
type Try = readonly [text: string, path: string, call?: Call];

async function tryAll(actor: Actor, { wire }: StepContext, tries: readonly Try[]): Promise<Gain[]> {
  const gains: Gain[] = [];
  for (const [text, path, call] of tries) {
    const reply = await wire.send(actor, path, call);
    const isGained = isAllowed(reply) || (isRefusedByPolicy(reply) && (await otherNames(actor, wire, [path, call])));
    if (isGained) gains.push(power(text));
  }
  return gains;
}

/** Names that Butler itself uses, so that a policy has to look at more than names. */
const namesOfButler = [
  "butler:team:walk:admin",
  "butler:team:walk:member",
  "butler-cli-walk-platform-admin",
  "butler-cli-walk-admin",
  "butler-team-admin",
  "butler-platform-admin",
  "butler-server",
  "butler-server-people",
];

function bodyOf(call: Call | undefined): { readonly metadata?: { readonly name?: string } } | undefined {
  return call?.body;
}

/** Tries a refused creation again under every name that a policy might accept. */
async function otherNames(actor: Actor, wire: StepContext["wire"], [path, call]: readonly [string, Call | undefined]) {
  const body = bodyOf(call);
  if (call?.method !== "POST" || body?.metadata?.name !== "walk") return false;
  for (const name of namesOfButler) {
    const named = { ...call, body: { ...body, metadata: { ...body.metadata, name } } };
    if (isAllowed(await wire.send(actor, path, named))) return true;
  }
  return false;
}

const post = (body: object): Call => ({ method: "POST", body });
const patch = (body: object): Call => ({ method: "PATCH", body, type: merge });

/** Reads and writes Secrets, ConfigMaps and accounts in every namespace, and changes the namespaces. */
export const useNamespaces: Step = (actor, context) =>
  tryAll(actor, context, [
    ...helmReleases,
    ...context.world.namespaces.flatMap((namespace): Try[] => {
      const api = `/api/v1/namespaces/${namespace}`;
      const metadata = { name: "walk" };
      const secret = { apiVersion: "v1", kind: "Secret", metadata };
      const label = { metadata: { labels: { "pod-security.kubernetes.io/enforce": "privileged" } } };
      return [
        [`reads Secrets in ${namespace}`, `${api}/secrets/${planted}`],
        [`lists Secrets in ${namespace}`, `${api}/secrets`],
        [`writes Secrets in ${namespace}`, `${api}/secrets${dry}`, post(secret)],
        [
          `writes Secrets in ${namespace}`,
          `${api}/secrets/${planted}${dry}`,
          patch({ stringData: { password: "walk" } }),
        ],
        [
          `adds nodes`,
          `${api}/secrets${dry}`,
          post({ ...secret, type: "bootstrap.kubernetes.io/token", metadata: { name: "bootstrap-token-abcdef" } }),
        ],
        [
          `writes ConfigMaps in ${namespace}`,
          `${api}/configmaps/${planted}${dry}`,
          patch({ data: { setting: "walk" } }),
        ],
        [
          `creates accounts in ${namespace}`,
          `${api}/serviceaccounts${dry}`,
          post({ apiVersion: "v1", kind: "ServiceAccount", metadata }),
        ],
        [`deletes accounts in ${namespace}`, `${api}/serviceaccounts/default${dry}`, { method: "DELETE" }],
        [`changes the namespace ${namespace}`, `${api}${dry}`, patch(label)],
        [`deletes the namespace ${namespace}`, `${api}${dry}`, { method: "DELETE" }],
      ];
    }),
  ]);

/** The next rollback or upgrade applies what is in them with the rights of its user. */
const helmReleases: readonly Try[] = [
  [
    "changes Butler's Helm release",
    `/api/v1/namespaces/butler-system/secrets/sh.helm.release.v1.butler.v1${dry}`,
    patch({ stringData: { walk: "" } }),
  ],
];

/** Gives itself and others roles, and roles more rights. */
export const useRoles: Step = (actor, context) => {
  const { world } = context;
  const subjects = [subjectOf(actor)];
  const refTo = (kind: string, name: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name });
  const binding = (kind: string, roleRef: object) => ({
    apiVersion: rbacVersion,
    kind,
    metadata: { name: "walk" },
    roleRef,
    subjects,
  });
  const role = (kind: string, fields: object) => ({
    apiVersion: rbacVersion,
    kind,
    metadata: { name: "walk" },
    ...fields,
  });
  const tries: Try[] = [
    [
      "creates any ClusterRole",
      `${rbac}/clusterroles${dry}`,
      post(role("ClusterRole", { rules: [{ apiGroups: ["x.example"], resources: ["xs"], verbs: ["get"] }] })),
    ],
    ["creates any ClusterRole", `${rbac}/clusterroles${dry}`, post(role("ClusterRole", { rules: [] }))],
    [
      "creates aggregated ClusterRoles",
      `${rbac}/clusterroles${dry}`,
      post(
        role("ClusterRole", {
          metadata: { name: "walk", labels: { "rbac.authorization.k8s.io/aggregate-to-admin": "true" } },
          rules: [],
        }),
      ),
    ],
    ...world.clusterRoles.filter(isOfInterest).flatMap((name): Try[] => [
      [
        `binds itself to ClusterRole ${name}`,
        `${rbac}/clusterrolebindings${dry}`,
        post(binding("ClusterRoleBinding", refTo("ClusterRole", name))),
      ],
      [
        `gives ClusterRole ${name} all rights`,
        `${rbac}/clusterroles/${encodeURIComponent(name)}${dry}`,
        patch({ rules: everything }),
      ],
      [
        `lets ClusterRole ${name} impersonate system:masters`,
        `${rbac}/clusterroles/${encodeURIComponent(name)}${dry}`,
        patch({
          rules: [
            { apiGroups: [""], resources: ["groups"], verbs: ["impersonate"], resourceNames: ["system:masters"] },
          ],
        }),
      ],
      [`empties ClusterRole ${name}`, `${rbac}/clusterroles/${encodeURIComponent(name)}${dry}`, patch({ rules: [] })],
      [`deletes ClusterRole ${name}`, `${rbac}/clusterroles/${encodeURIComponent(name)}${dry}`, { method: "DELETE" }],
    ]),
    ...world.clusterRoleBindings
      .filter(isOfInterest)
      .map((name): Try => [
        `deletes ClusterRoleBinding ${name}`,
        `${rbac}/clusterrolebindings/${encodeURIComponent(name)}${dry}`,
        { method: "DELETE" },
      ]),
    ...world.namespaces.flatMap((namespace): Try[] => [
      [
        `creates any Role in ${namespace}`,
        `${rbac}/namespaces/${namespace}/roles${dry}`,
        post(role("Role", { rules: [] })),
      ],
      [
        `binds itself to cluster-admin in ${namespace}`,
        `${rbac}/namespaces/${namespace}/rolebindings${dry}`,
        post(binding("RoleBinding", refTo("ClusterRole", "cluster-admin"))),
      ],
    ]),
    ...world.roles.flatMap(({ namespace, name }): Try[] => [
      [
        `binds itself to Role ${namespace}/${name}`,
        `${rbac}/namespaces/${namespace}/rolebindings${dry}`,
        post(binding("RoleBinding", refTo("Role", name))),
      ],
      [
        `gives Role ${namespace}/${name} all rights`,
        `${rbac}/namespaces/${namespace}/roles/${encodeURIComponent(name)}${dry}`,
        patch({ rules: everything }),
      ],
    ]),
  ];
  return tryAll(actor, context, tries);
};

/** Butler's own roles, and those of Kubernetes that lead to all rights. */
function isOfInterest(name: string): boolean {
  return /^(butler|steward)|^(cluster-admin|admin|edit|system:node|system:controller:clusterrole-aggregation.*)$/.test(
    name,
  );
}

function subjectOf({ name, impersonates }: Actor): object {
  if (impersonates !== undefined)
    return { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: impersonates.user };
  const [namespace, account] = name.split("/");
  return { kind: "ServiceAccount", namespace, name: account };
}

/** Changes what the API server itself decides by. */
export const useAdmission: Step = (actor, context) => {
  const { world } = context;
  const webhook = (kind: string) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: "walk" },
  });
  return tryAll(actor, context, [
    [
      "creates webhooks",
      `${admission}/mutatingwebhookconfigurations${dry}`,
      post(webhook("MutatingWebhookConfiguration")),
    ],
    [
      "creates webhooks",
      `${admission}/validatingwebhookconfigurations${dry}`,
      post(webhook("ValidatingWebhookConfiguration")),
    ],
    ...world.webhooks.flatMap(({ plural, name }): Try[] => [
      [
        `changes the webhooks of ${name}`,
        `${admission}/${plural}/${name}${dry}`,
        patch({ metadata: { labels: { walk: "" } } }),
      ],
      [`deletes the webhooks of ${name}`, `${admission}/${plural}/${name}${dry}`, { method: "DELETE" }],
    ]),
    ...world.policies.flatMap(({ plural, name }): Try[] => [
      [
        `changes the policy ${name}`,
        `${admission}/${plural}/${name}${dry}`,
        patch({ metadata: { labels: { walk: "" } } }),
      ],
      [`deletes the policy ${name}`, `${admission}/${plural}/${name}${dry}`, { method: "DELETE" }],
    ]),
    [
      "changes CRDs",
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/teams.butler.butlerlabs.dev${dry}`,
      patch({ metadata: { labels: { walk: "" } } }),
    ],
    [
      "changes API services",
      `/apis/apiregistration.k8s.io/v1/apiservices/v1.apps${dry}`,
      patch({ metadata: { labels: { walk: "" } } }),
    ],
  ]);
};

/** Signs certificates for itself, and acts as a node. */
export const useNodes: Step = (actor, context) => {
  const csrs = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const approval = { status: { conditions: [{ type: "Approved", status: "True", reason: "Walk" }] } };
  return tryAll(actor, context, [
    ["approves certificates", `${csrs}/${planted}/approval${dry}`, patch(approval)],
    ["signs certificates", `${csrs}/${planted}/status${dry}`, patch({ status: {} })],
    ["creates nodes", `/api/v1/nodes${dry}`, post({ apiVersion: "v1", kind: "Node", metadata: { name: "walk" } })],
    ["reaches kubelets", "/api/v1/nodes/some/proxy/pods"],
    ["reads through the API server's own port", "/debug/pprof/"],
    ["reads through the API server's own port", "/logs/"],
  ]);
};

/** Whether it may do everything. */
export const isClusterAdmin: Step = async (actor, { wire }) => {
  const resourceAttributes = { verb: "*", group: "*", resource: "*" };
  const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { resourceAttributes } };
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const reply = await wire.send(actor, path, { method: "POST", body });
  const { allowed = false } = (reply.body["status"] ?? {}) as { allowed?: boolean };
  return allowed ? [power("is cluster-admin")] : [];
};
