import { InvalidInput } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rollbackArguments, templateArguments, uninstallArguments, upgradeArguments } from "./arguments.ts";
import { helmEnvironment } from "./environment.ts";
import type { ReleaseRequest } from "./requests.ts";

const files = { kubeconfig: "/run/kubeconfig", values: "/run/values.json" };
const request: ReleaseRequest = {
  release: "web",
  namespace: "shop",
  createNamespace: true,
  chart: "/charts/web-1.0.0.tgz",
  values: { password: "hunter2" },
  timeoutMs: 90_500,
};

describe("upgradeArguments", () => {
  it("installs or upgrades without earlier values, and waits only for hooks", () => {
    expect(upgradeArguments({ ...request, labels: { "butler.butlerlabs.dev/run": "abc" } }, files)).toEqual([
      "upgrade",
      "--install",
      "web",
      "/charts/web-1.0.0.tgz",
      "--kubeconfig=/run/kubeconfig",
      "--namespace=shop",
      "--create-namespace",
      "--reset-values",
      "--values=/run/values.json",
      "--server-side=true",
      "--force-conflicts",
      "--history-max=10",
      "--labels=butler.butlerlabs.dev/run=abc",
      "--wait=hookOnly",
      "--timeout=91s",
      "--debug",
    ]);
  });

  it.each<[string, Partial<ReleaseRequest>, string, boolean]>([
    ["makes no namespace unasked", { createNamespace: false }, "--create-namespace", false],
    ["leaves others their objects", {}, "--take-ownership", false],
    ["takes them over when it may", { takeOwnership: true }, "--take-ownership", true],
    ["waits for all when it is to", { waitUntilReady: true }, "--wait=watcher", true],
    ["waits for nothing that a dry run makes", { waitUntilReady: true, isDryRun: true }, "--wait=hookOnly", true],
    ["asks the API server in a dry run", { isDryRun: true }, "--dry-run=server", true],
    ["keeps the configured number of revisions", { historyMax: 3 }, "--history-max=3", true],
    ["never gives helm no time at all", { timeoutMs: 1 }, "--timeout=1s", true],
  ])("%s", (_title, further, flag, isThere) => {
    expect(upgradeArguments({ ...request, ...further }, files).includes(flag)).toBe(isThere);
  });

  it.each<[string, Partial<ReleaseRequest>]>([
    ["a release that is a flag", { release: "--post-renderer" }],
    ["a release with capitals", { release: "Web" }],
    ["a release that is too long", { release: "a".repeat(54) }],
    ["a namespace that is a path", { namespace: "../kube-system" }],
    ["no namespace", { namespace: "" }],
    ["a chart in a repository", { chart: "oci://registry.example/charts/web" }],
    ["a chart of a name", { chart: "stable/web" }],
    ["a label with a comma", { labels: { run: "a,owner=me" } }],
    ["a label with a blank", { labels: { "a b": "c" } }],
    ["a label that helm would remove", { labels: { run: "null" } }],
  ])("refuses %s", (_title, further) => {
    expect(() => upgradeArguments({ ...request, ...further }, files)).toThrow(InvalidInput);
  });

  it("contains no argument that a request could turn into another flag", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (release, namespace, label) => {
        let args: string[] = [];
        try {
          args = upgradeArguments({ ...request, release, namespace, labels: { run: label } }, files);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
        }
        expect(args.filter((arg) => !arg.startsWith("--")).length).toBe(args.length === 0 ? 0 : 3);
      }),
    );
  });
});

describe("the other commands", () => {
  it("roll back to a revision, and record the labels", () => {
    const args = rollbackArguments({ ...request, revision: 3, labels: { run: "abc" } }, files);
    expect(args.slice(0, 3)).toEqual(["rollback", "web", "3"]);
    expect(args).toEqual(expect.arrayContaining(["--description=Rollback to 3 (run=abc)", "--force-conflicts"]));
    expect(rollbackArguments({ ...request, revision: 3, labels: {} }, files)).toContain("--description=Rollback to 3");
  });

  it.each([0, -1, 1.5, Number.NaN])(
    "reject the revision %d, which helm would treat as the previous one",
    (revision) => {
      expect(() => rollbackArguments({ ...request, revision }, files)).toThrow(InvalidInput);
    },
  );

  it("uninstall a release without ignoring other errors", () => {
    const args = uninstallArguments(request, files);
    expect(args.slice(0, 2)).toEqual(["uninstall", "web"]);
    expect(args).not.toContain("--ignore-not-found");
  });

  it("render without a cluster", () => {
    const further = { kubeVersion: "1.36.3", apiVersions: ["a/v1", "b/v2"] };
    expect(templateArguments({ ...request, ...further }, files)).toEqual([
      "template",
      "web",
      "/charts/web-1.0.0.tgz",
      "--namespace=shop",
      "--values=/run/values.json",
      "--no-hooks",
      "--kube-version=1.36.3",
      "--api-versions=a/v1",
      "--api-versions=b/v2",
    ]);
  });
});

describe("helmEnvironment", () => {
  const own = {
    PATH: "/bin",
    HOME: "/home/me",
    KUBECONFIG: "/home/me/.kube/config",
    KUBERNETES_SERVICE_HOST: "10.0.0.1",
    HELM_PLUGINS: "/home/me/plugins",
    HELM_KUBETOKEN: "secret",
    AWS_PROFILE: "me",
  };

  it("inherits only PATH", () => {
    const environment = helmEnvironment({ folder: "/run", memoryLimitMiB: 200, givesWay: true, own, isOwnKept: false });
    expect(environment).toEqual({
      PATH: "/bin",
      HOME: "/run",
      TMPDIR: "/run",
      KUBECACHEDIR: "/run/discovery",
      HELM_CACHE_HOME: "/run/cache",
      HELM_CONFIG_HOME: "/run/config",
      HELM_DATA_HOME: "/run/data",
      HELM_PLUGINS: "/run/plugins",
      GOMEMLIMIT: "200MiB",
      GOMAXPROCS: "1",
    });
  });

  it("keeps the user's environment except for Helm settings", () => {
    const environment = helmEnvironment({ folder: "/run", memoryLimitMiB: undefined, own, isOwnKept: true });
    expect(environment).toMatchObject({ HOME: "/home/me", AWS_PROFILE: "me", HELM_PLUGINS: "/run/plugins" });
    expect(Object.keys(environment)).not.toContain("HELM_KUBETOKEN");
    expect(Object.keys(environment)).not.toContain("KUBECONFIG");
  });
});
