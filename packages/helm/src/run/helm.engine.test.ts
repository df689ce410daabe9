import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineImageNames, ensureTools, Kubectl, type LocalEngine } from "@butler/engine";
import { canHostEngine, eventually, sharedEngine } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testChartFolder } from "../testing/pack-chart.ts";
import { Helm } from "./helm.ts";
import type { HelmCall, ReleaseRequest } from "./requests.ts";

const namespace = "shop";
const image = engineImageNames().coredns;

let home: string;
let engine: LocalEngine;
let kubectl: Kubectl;
let helm: Helm;
let call: HelmCall;

const install = (release: string, further: Partial<ReleaseRequest>): Promise<void> =>
  helm.upgradeOrInstall(
    {
      release,
      namespace,
      createNamespace: true,
      chart: testChartFolder("web"),
      values: { image },
      timeoutMs: 60_000,
      ...further,
    },
    call,
  );

const read = async (object: string, path: string): Promise<string> =>
  (await kubectl.run(["get", object, `--namespace=${namespace}`, "-o", `jsonpath=${path}`])).trim();

describe.runIf(canHostEngine)("releases with running pods", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "butler-helm-engine-"));
    const tools = await ensureTools(["helm", "kubectl"]);
    helm = new Helm({ program: tools.helm, folder: home });
    engine = await sharedEngine("bare");
    kubectl = new Kubectl({ program: tools.kubectl, kubeconfig: engine.paths.kubeconfig });
    const kubeconfig = await readFile(engine.paths.kubeconfig, "utf8");
    call = { target: { kubeconfig }, signal: new AbortController().signal };
  });
  afterAll(async () => {
    await kubectl?.run(["delete", "namespace", namespace, "--timeout=60s"]);
    await rm(home, { recursive: true, force: true });
  });

  it("are installed when their hook has finished, and serve requests", async () => {
    await install("web", { values: { image, greeting: "salve" } });
    expect(await read("job/web-greeting", "{.status.succeeded}")).toBe("1");
    const answer = await eventually(
      () => kubectl.run(["get", "--raw", `/api/v1/namespaces/${namespace}/services/web:80/proxy/health`]),
      { timeoutMs: 60_000, intervalMs: 500 },
    );
    expect(answer).toBe("OK");
    expect(await read("configmap/web", "{.data.greeting}")).toBe("salve");
  });

  it("fail when their hook fails, and name it", async () => {
    const values = { image, hook: { fails: true } };
    await expect(install("web", { values })).rejects.toMatchObject({
      reason: "HookFailed",
      message: expect.stringContaining("web-greeting"),
    });
    await helm.rollback({ release: "web", namespace, revision: 1, timeoutMs: 60_000 }, call);
    expect(await read("configmap/web", "{.data.greeting}")).toBe("salve");
  });

  it("are waited for on request, up to the timeout", async () => {
    const pause = { image: engineImageNames().pause };
    const stateful = testChartFolder("stateful");
    await install("stateful", { chart: stateful, values: { ...pause, replicas: 2 }, waitUntilReady: true });
    expect(await read("statefulset/stateful", "{.status.readyReplicas}")).toBe("2");
    const never = { chart: testChartFolder("never-ready"), waitUntilReady: true };
    await expect(install("never", { ...never, values: pause, timeoutMs: 5_000 })).rejects.toMatchObject({
      reason: "TimedOut",
      message: expect.stringContaining("never"),
    });
    await install("never", { ...never, values: { ...pause, ready: true } });
    expect(await read("deployment/never", "{.status.readyReplicas}")).toBe("1");
  });
});
