import { execFile } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { AddonDefinition, AuditSegment, allResources, DataStore } from "@butler/api";
import { rbacRules } from "@butler/controller";
import { engineImageNames, ensureTools, Kubectl, type LocalEngine, provideButlerImage } from "@butler/engine";
import { loadBalancerController, localClaimController, localVolumeController } from "@butler/local-node";
import { canHostEngine, eventually, sharedEngine } from "@butler/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleButler } from "./bundle.ts";
import { chartImageValues, chartRelease, installChart } from "./chart-install.ts";
import { roleManifests } from "./manifests.ts";
import { clusterWideObjects } from "./testing/cluster-wide.ts";

const run = promisify(execFile);
const namespace = "butler-system";

let engine: LocalEngine;
let kubectlPath: string;
let helm: string;
let image: string;

async function kubectl(...args: string[]): Promise<string> {
  const { stdout } = await run(kubectlPath, ["--kubeconfig", engine.paths.kubeconfig, "-n", namespace, ...args]);
  return stdout.trim();
}

async function apply(objects: readonly object[]): Promise<string> {
  const call = run(kubectlPath, ["--kubeconfig", engine.paths.kubeconfig, "apply", "--validate=strict", "-f", "-"]);
  call.child.stdin?.end(JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  return (await call).stderr;
}

/** Pod Security admission rejects pods here that request more than they should. */
const restrictedNamespace = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: namespace, labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
};

const rules = [
  ...rbacRules([loadBalancerController, localClaimController, localVolumeController]),
  { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs: ["create", "get", "patch"] },
];

const pods = async (): Promise<string[]> =>
  (await kubectl("get", "pods", "--no-headers", "-o", "custom-columns=:metadata.name")).split("\n").filter(Boolean);

/** Sends a request to a pod's health port through the API server. */
const ask = (pod: string, path: string): Promise<string> =>
  kubectl("get", "--raw", `/api/v1/namespaces/${namespace}/pods/${pod}:8081/proxy${path}`);

async function leaders(): Promise<string[]> {
  const leading = await Promise.all(
    (await pods()).map(async (pod) =>
      (await ask(pod, "/metrics")).includes('butler_leader{name="butler-local-node"} 1') ? [pod] : [],
    ),
  );
  return leading.flat();
}

describe.runIf(canHostEngine)("butler in a pod", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    ({ helm, kubectl: kubectlPath } = await ensureTools(["helm", "kubectl"]));
    engine = await sharedEngine("bare");
    const bundle = await bundleButler();
    image = await provideButlerImage(engine, bundle.files);
    await apply([restrictedNamespace]);
  });
  // No cleanup: this file is the last one in its lane.

  it("runs a role under the restricted Pod Security Standard with the pod's service account", async () => {
    const args = ["--load-balancer-range=10.255.255.0/28", "--volumes=/tmp"];
    const warnings = await apply(roleManifests({ role: "local-node", image, namespace, args, rules, replicas: 2 }));
    expect(warnings).toBe("");
    await kubectl("rollout", "status", "deployment/butler-local-node", "--timeout=60s");
    for (const pod of await pods()) {
      expect(await ask(pod, "/readyz")).toBe("ok");
      const log = await kubectl("logs", pod);
      expect(log).not.toMatch(/"level":"(warn|error)"/);
    }
  });

  it("runs as an unprivileged user that can write only temporary files", async () => {
    const [pod = ""] = await pods();
    const script = `
      const { writeFileSync } = require("node:fs");
      const attempt = (path) => { try { writeFileSync(path, "x"); return "written"; } catch ({ code }) { return code; } };
      console.log(JSON.stringify({ user: [process.getuid(), process.getgid()], app: attempt("/app/x"), tmp: attempt("/tmp/x") }));`;
    const answer = await kubectl("exec", pod, "--", "/usr/local/bin/node", "-e", script);
    expect(JSON.parse(answer)).toEqual({ user: [65_532, 65_532], app: "EROFS", tmp: "written" });
  });

  it("is active in one pod at a time, and fails over to another", async () => {
    const [leader = "", ...others] = await eventually(async () => {
      const found = await leaders();
      return found.length > 0 && found;
    });
    expect(others).toEqual([]);
    await kubectl("delete", "pod", leader);
    const [next] = await eventually(async () => {
      const found = await leaders();
      return found.length > 0 && found;
    });
    expect(next).not.toBe(leader);
  });

  it("exits cleanly on request", async () => {
    const [pod = ""] = await pods();
    const following = run(kubectlPath, ["--kubeconfig", engine.paths.kubeconfig, "-n", namespace, "logs", "-f", pod]);
    // Every process logs leader election, so the log is being followed once the first line has arrived.
    await once(following.child.stdout ?? expect.fail("no output"), "data");
    await kubectl("delete", "pod", pod);
    expect((await following).stdout).toContain("shutting down");
  });

  describe("installed by its chart", () => {
    let before: Set<string>;
    let beforeInNamespace: Set<string>;

    const everywhere = (): Promise<Set<string>> =>
      clusterWideObjects(new Kubectl({ program: kubectlPath, kubeconfig: engine.paths.kubeconfig }));
    const inNamespace = async (): Promise<Set<string>> => {
      const workloads = "deployments,statefulsets,services,networkpolicies,poddisruptionbudgets,persistentvolumeclaims";
      const others = "secrets,configmaps,serviceaccounts,roles,rolebindings,leases";
      return new Set((await kubectl("get", `${workloads},${others}`, "-o", "name")).split("\n"));
    };
    const install = (): Promise<void> =>
      installChart({
        helm,
        kubeconfig: engine.paths.kubeconfig,
        values: {
          ...chartImageValues(image),
          logLevel: "warn",
          steward: {
            defaultDataStore: {
              members: 1,
              storage: { size: "1Gi" },
              image: engineImageNames().etcd,
              resources: { requests: { cpu: "100m", memory: "128Mi" } },
            },
          },
        },
      });
    const readyStore = async (): Promise<string> => {
      await kubectl("wait", "datastore/default", "--for=create", "--timeout=60s");
      return kubectl("wait", "datastore/default", "--for=condition=Ready", "--timeout=120s");
    };
    const uidOfAuthority = (): Promise<string> =>
      kubectl("get", "secret/default-etcd-ca", "-o", "jsonpath={.metadata.uid}");
    /** A DataStore that Steward rejects, and that the API server accepts when it does not call Steward. */
    const applyUnsupported = (): Promise<string> =>
      apply([
        {
          apiVersion: DataStore.apiVersion,
          kind: DataStore.kind,
          metadata: { name: "unsupported" },
          spec: {
            driver: "PostgreSQL",
            endpoints: ["postgres:5432"],
            basicAuth: { username: { content: "cm9vdA==" }, password: { content: "c2VjcmV0" } },
          },
        },
      ]);

    beforeAll(async () => {
      // The engine has its own instance, which assigns addresses and volumes.
      await kubectl("delete", "deployment/butler-local-node", "--cascade=foreground", "--timeout=60s");
      await engine.provideImages(["etcd"]);
      [before, beforeInNamespace] = [await everywhere(), await inNamespace()];
      await install();
    }, 300_000);

    it("creates a DataStore and validates requests", async () => {
      expect(await readyStore()).toContain("condition met");
      await expect(applyUnsupported()).rejects.toThrow("PostgreSQL is not supported yet");
      expect(await kubectl("logs", "deployment/butler-controller")).not.toContain('"level":"info"');
    });

    it("leaves nothing behind on uninstall except what users depend on", async () => {
      const flags = [`--namespace=${namespace}`, `--kubeconfig=${engine.paths.kubeconfig}`, "--wait"];
      await run(helm, ["uninstall", chartRelease, ...flags]);
      const documented = new Set([
        ...allResources.map(({ plural, group }) => `customresourcedefinition.apiextensions.k8s.io/${plural}.${group}`),
        ...allResources.map(({ group, version }) => `apiservice.apiregistration.k8s.io/${version}.${group}`),
        `datastore.${DataStore.group}/default`,
        "namespace/butler-terminals",
        "namespace/butler-cli",
        "namespace/butler-cli-admins",
      ]);
      // Add-ons on clusters refer to the catalog.
      const keptKinds = [`addondefinition.${AddonDefinition.group}/`, `auditsegment.${AuditSegment.group}/`];
      keptKinds.push("persistentvolume/");
      const isKept = (object: string): boolean =>
        documented.has(object) || keptKinds.some((kind) => object.startsWith(kind));
      const isOfStore = (object: string): boolean => /\/(data-)?default-etcd(-|$)/.test(object);
      // Users stay signed in when Butler is reinstalled.
      const isOfServer = (object: string): boolean =>
        /^secret\/butler-(server-signing-keys|setup-token|live-key|audit-webhook-key|device-key|audit-anchor)$/.test(
          object,
        );
      const isMeantToStay = (object: string): boolean => isOfStore(object) || isOfServer(object);
      let left: string[] = [];
      const isTidy = async (): Promise<boolean> => {
        left = [
          ...[...(await everywhere())].filter((object) => !before.has(object) && !isKept(object)),
          ...[...(await inNamespace())].filter((object) => !beforeInNamespace.has(object) && !isMeantToStay(object)),
        ];
        return left.length === 0;
      };
      await eventually(isTidy, { timeoutMs: 60_000, intervalMs: 1_000, what: () => `the end of ${left.join(", ")}` });
      expect(await kubectl("get", "statefulset/default-etcd", "-o", "jsonpath={.status.readyReplicas}")).toBe("1");
      await applyUnsupported();
      await kubectl("delete", "datastore/unsupported");
    });

    it("picks everything up when it is installed again", async () => {
      const authority = await uidOfAuthority();
      await install();
      expect(await readyStore()).toContain("condition met");
      expect(await uidOfAuthority()).toBe(authority);
      await expect(applyUnsupported()).rejects.toThrow("PostgreSQL is not supported yet");
    });
  });
});
