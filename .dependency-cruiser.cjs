// Which folder may import which. A rule forbids what is not in the reason behind it; see docs/architecture.md, "Directions".
const tests = "(\\.test\\.tsx?$|/testing/|^test/|^tools/test(\\.ts$|/)|^packages/testkit/)";

/** Files that decide or render, by name. Their tests may use anything. */
const plans = {
  path: ["(^|/)(plan|decide|manifests)[.]ts$", "(^|/)(plan|decide)-[^/]+[.]ts$", "/render/[^/]+[.]ts$"],
  pathNot: tests,
};

/** Source files under `from` may import, of our packages, only those listed (and their own). */
function only(from, allowed, reason) {
  return {
    name: `${from.replaceAll("/", "-")}-directions`,
    comment: reason,
    severity: "error",
    from: { path: `^${from}/`, pathNot: tests },
    to: {
      path: "^(engine|packages|controllers|providers|apps|tools)/",
      pathNot: [from, ...allowed].map((folder) => `^${folder}/`),
    },
  };
}

const [std, resource, telemetry, kube, pki, etcd] = ["std", "resource", "telemetry", "kube", "pki", "etcd"].map(
  (name) => `packages/${name}`,
);
const kinds = ["packages/api", "packages/api-external"];

module.exports = {
  forbidden: [
    only("packages/std", [], "std is the ground: it stands on nothing of ours"),
    only("packages/telemetry", [std], "logs and metrics know nothing of what they record"),
    only("packages/resource", [std], "a declaration knows no client"),
    only("packages/api", [std, resource], "kinds are data: no client, no controller"),
    only("packages/kube", [std, resource, telemetry], "the client serves every kind and knows none"),
    only("packages/controller", [std, resource, telemetry, kube], "the runtime serves every controller and knows none"),
    only(
      "packages/tenant-clients",
      [std, resource, telemetry, kube],
      "the way to tenants, whatever is said to them: it knows no kind",
    ),
    only("packages/api-external", [resource], "other projects' kinds as data"),
    only(
      "packages/provider",
      [std, resource, ...kinds],
      "an infrastructure is a port: what it is given and what it renders, without a client",
    ),
    only("packages/access", [std, resource, "packages/api"], "who may do what is decided from kinds alone"),
    only(
      "packages/addons",
      [std, resource, "packages/api"],
      "what an add-on needs and gets is decided from kinds alone",
    ),
    only(
      "packages/administration",
      [std, resource, kube, "packages/access", "packages/api", "packages/contract"],
      "what administrators do is decided from kinds, whoever does it for them",
    ),
    only(
      "packages/object-health",
      [std, resource, kube, "packages/api-external"],
      "whether an object is well is told by the object, whoever made it",
    ),
    only(
      "packages/diagnosis",
      [std, resource, kube, pki, ...kinds],
      "why a cluster is as it is: read through any client, decided from facts, said alike by whoever asks",
    ),
    only("packages/audit", [std, "packages/api"], "the audit log is read from segments alone, whoever has them"),
    only(
      "packages/changes",
      [std, resource, kube, "packages/api", "packages/cli-kit"],
      "what a refusal means is read from the client's error, what an add-on shows from the add-on",
    ),
    only(
      "packages/cluster-operations",
      [resource, "packages/api"],
      "what an operation comes to is decided from the cluster alone, in a browser too",
    ),
    only("packages/contract", [std, resource, "packages/api"], "routes are data: no server, no client library"),
    only(
      "apps/server",
      [std, resource, telemetry, kube].concat(
        kinds,
        ["access", "addons", "administration", "audit", "cluster-operations", "contract", "controller", "pki"]
          .concat("tenant-clients", "diagnosis")
          .map((name) => `packages/${name}`),
      ),
      "the server speaks to the Kubernetes API, and decides with the same pure functions as Butler itself",
    ),
    only("packages/ui", [], "what pages are made of knows nothing of what they show"),
    only(
      "apps/console",
      [std, resource, ...["access", "api", "cluster-operations", "contract", "ui"].map((name) => `packages/${name}`)],
      "pages speak to the server by the contract, and decide with the same pure functions",
    ),
    {
      name: "pages-do-not-meet",
      comment: "a page's folder knows no other page: they meet in the router",
      severity: "error",
      from: { path: "^apps/console/src/pages/([^/]+)/" },
      to: { path: "^apps/console/src/pages/", pathNot: "^apps/console/src/pages/$1/" },
    },
    only("packages/ipam", [std], "which addresses are free is arithmetic: no kind, no client"),
    only("packages/cli-kit", [std], "what command lines share knows nothing of what they do"),
    only(
      "packages/cli-session",
      [std, resource, kube, "packages/cli-kit", "packages/contract"],
      "a connection knows no kind and no command; to the server it speaks by the contract",
    ),
    only(
      "providers",
      [std, resource, telemetry, kube].concat(
        kinds,
        ["controller", "provider", "tenant-clients"].map((name) => `packages/${name}`),
      ),
      "a provider meets the rest through resources",
    ),
    only(
      "controllers",
      [std, resource, telemetry, kube, pki, etcd].concat(
        kinds,
        ["controller", "access", "addons", "cluster-operations", "helm", "ipam", "object-health", "provider"].map(
          (name) => `packages/${name}`,
        ),
        "packages/tenant-clients",
        "packages/administration/src/issuers",
      ),
      "controllers meet the rest, and each other, through resources",
    ),
    only(
      "apps/butlerctl",
      [std, resource, kube].concat(
        kinds,
        ["access", "addons", "changes", "cli-kit", "cli-session", "cluster-operations", "contract", "diagnosis"].map(
          (name) => `packages/${name}`,
        ),
      ),
      "the users' command line speaks to the Kubernetes API, and decides with the same pure functions as Butler itself",
    ),
    only(
      "apps/butleradm",
      [std, resource, telemetry, kube, pki, "engine", "apps/butler/src/deploy"].concat(
        kinds,
        ["access", "addons", "administration", "audit", "changes", "ipam"].map((name) => `packages/${name}`),
        ["cli-kit", "cli-session", "cluster-operations", "helm", "diagnosis"].map((name) => `packages/${name}`),
      ),
      "the operators' command line speaks to the engine, can put Butler's own processes into it, and shows the platform",
    ),
    {
      name: "roles-do-not-deploy",
      comment: "what puts a role into a cluster (the bundler among it) is no part of the role",
      severity: "error",
      from: { path: "^apps/butler/src/(?!deploy/)", pathNot: tests },
      to: { path: "^(apps/butler/src/deploy/|engine/)|node_modules/esbuild/" },
    },
    only("engine", [std, pki], "the engine brings Kubernetes; it knows nothing of Butler's kinds"),
    only("packages/helm", [std, resource, kube], "Helm's memory is read for whoever asks, and knows no kind of ours"),
    only("packages/pki", [std], "keys and certificates know no client and no kind"),
    only("packages/etcd", [std], "a client of etcd knows nothing of Kubernetes"),
    {
      name: "no-testkit-in-products",
      comment: "testkit, and what a package has for its own tests, is for tests and benchmarks",
      severity: "error",
      from: { pathNot: tests },
      to: { path: "^packages/testkit/|/testing/" },
    },
    {
      name: "plans-are-pure",
      comment: "a plan decides from what it is given: no client, no process, no file",
      severity: "error",
      from: plans,
      to: { path: "^(node:|packages/kube/|undici|@kubernetes)", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "plans-are-pure-of-node",
      comment: "a plan decides from what it is given: nothing of Node's own",
      severity: "error",
      from: plans,
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "packages-by-name",
      comment: "another package is imported by its name, never by a path into it",
      severity: "error",
      from: { path: "^(apps/[^/]+|engine|packages/[^/]+|providers/[^/]+|test|tools)/" },
      to: {
        path: "^(engine|packages/[^/]+|providers/[^/]+)/src/(?!index\\.ts)",
        pathNot: "^$1/",
        dependencyTypes: ["local"],
      },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "resolvable",
      comment: "an import that leads nowhere",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node"],
      extensions: [".ts", ".tsx", ".js", ".json"],
    },
    exclude: { path: "(\\.(go|mod|sum|json|css)|^apps/console/dist/.*)$" },
  },
};
