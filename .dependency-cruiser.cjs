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
    only("packages/std", [], "the base layer: depends on no other package"),
    only("packages/telemetry", [std], "logs and metrics are independent of what they record"),
    only("packages/resource", [std], "declarations need no client"),
    only("packages/api", [std, resource], "kinds are data: no client, no controller"),
    only("packages/kube", [std, resource, telemetry], "the client is independent of particular kinds"),
    only(
      "packages/controller",
      [std, resource, telemetry, kube],
      "the runtime is independent of particular controllers",
    ),
    only(
      "packages/tenant-clients",
      [std, resource, telemetry, kube],
      "connections to tenants, independent of particular kinds",
    ),
    only("packages/api-external", [resource], "kinds of other projects, as data"),
    only(
      "packages/provider",
      [std, resource, ...kinds],
      "the port of an infrastructure: input and rendered objects, no client",
    ),
    only("packages/access", [std, resource, "packages/api"], "permissions are decided from kinds alone"),
    only("packages/addons", [std, resource, "packages/api"], "releases of add-ons are decided from kinds alone"),
    only(
      "packages/administration",
      [std, resource, kube, "packages/access", "packages/api", "packages/contract"],
      "operations of administrators are the same in the server and the command line",
    ),
    only(
      "packages/object-health",
      [std, resource, kube, "packages/api-external"],
      "readiness is read from the object, independent of its owner",
    ),
    only(
      "packages/diagnosis",
      [std, resource, kube, pki, ...kinds],
      "facts are read through any client; all front ends share the diagnosis",
    ),
    only("packages/audit", [std, "packages/api"], "the audit log is read from segments, wherever they are stored"),
    only(
      "packages/changes",
      [std, resource, kube, "packages/api", "packages/cli-kit"],
      "rejections are explained from the client's error, add-ons from the object",
    ),
    only(
      "packages/cluster-operations",
      [resource, "packages/api"],
      "operations are decided from the cluster alone, in a browser as well",
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
      "the server uses the Kubernetes API and the pure functions of the controllers",
    ),
    only("packages/ui", [], "components are independent of what the pages show"),
    only(
      "apps/console",
      [std, resource, ...["access", "api", "cluster-operations", "contract", "ui"].map((name) => `packages/${name}`)],
      "pages call the server through the contract and share its pure functions",
    ),
    {
      name: "pages-do-not-meet",
      comment: "pages do not import each other; only the router knows them all",
      severity: "error",
      from: { path: "^apps/console/src/pages/([^/]+)/" },
      to: { path: "^apps/console/src/pages/", pathNot: "^apps/console/src/pages/$1/" },
    },
    only("packages/ipam", [std], "address arithmetic: no kind, no client"),
    only("packages/cli-kit", [std], "shared code of the command lines is independent of their commands"),
    only(
      "packages/cli-session",
      [std, resource, kube, "packages/cli-kit", "packages/contract"],
      "connections are independent of kinds and commands, and call the server through the contract",
    ),
    only(
      "providers",
      [std, resource, telemetry, kube].concat(
        kinds,
        ["controller", "provider", "tenant-clients"].map((name) => `packages/${name}`),
      ),
      "providers interact with other components through resources",
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
      "controllers interact with other components, and with each other, through resources",
    ),
    only(
      "apps/butlerctl",
      [std, resource, kube].concat(
        kinds,
        ["access", "addons", "changes", "cli-kit", "cli-session", "cluster-operations", "contract", "diagnosis"].map(
          (name) => `packages/${name}`,
        ),
      ),
      "the users' command line uses the Kubernetes API and the pure functions of the controllers",
    ),
    only(
      "apps/butleradm",
      [std, resource, telemetry, kube, pki, "engine", "apps/butler/src/deploy"].concat(
        kinds,
        ["access", "addons", "administration", "audit", "changes", "ipam"].map((name) => `packages/${name}`),
        ["cli-kit", "cli-session", "cluster-operations", "helm", "diagnosis"].map((name) => `packages/${name}`),
      ),
      "the operators' command line also runs the engine and installs Butler",
    ),
    {
      name: "roles-do-not-deploy",
      comment: "deployment code, including the bundler, is not part of a role",
      severity: "error",
      from: { path: "^apps/butler/src/(?!deploy/)", pathNot: tests },
      to: { path: "^(apps/butler/src/deploy/|engine/)|node_modules/esbuild/" },
    },
    only("engine", [std, pki], "the engine runs Kubernetes and is independent of Butler's kinds"),
    only("packages/helm", [std, resource, kube], "Helm's memory is read for whoever asks, and knows no kind of ours"),
    only("packages/pki", [std], "keys and certificates need no client and no kind"),
    only("packages/etcd", [std], "the etcd client is independent of Kubernetes"),
    {
      name: "no-testkit-in-products",
      comment: "testkit and the testing folders are for tests and benchmarks only",
      severity: "error",
      from: { pathNot: tests },
      to: { path: "^packages/testkit/|/testing/" },
    },
    {
      name: "plans-are-pure",
      comment: "plans are pure: no client, no process, no file",
      severity: "error",
      from: plans,
      to: { path: "^(node:|packages/kube/|undici|@kubernetes)", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "plans-are-pure-of-node",
      comment: "plans are pure: no modules of Node",
      severity: "error",
      from: plans,
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "packages-by-name",
      comment: "packages are imported by name, not by path",
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
      comment: "an import that cannot be resolved",
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
