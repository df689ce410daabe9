import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { talkativePod } from "./lib/cluster-objects.ts";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import { KubectlCalls } from "./lib/kubectl-calls.ts";

const example = fileURLToPath(new URL("../../examples/local-cluster.yaml", import.meta.url));
const namespace = "team-blue";
const minutes = 60_000;

let home: string;
let platform: EngineWithButler;
let management: KubectlCalls;

const tenantKubeconfig = (): string => join(home, "blue.kubeconfig");

describe.runIf(canHostEngine)("the example of a local cluster", { timeout: 5 * minutes }, () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "butler-example-"));
    platform = await EngineWithButler.shared("platform");
    management = platform.kubectl;
  }, 5 * minutes);

  afterAll(async () => {
    await platform?.leave();
    await rm(home, { recursive: true, force: true });
  }, 2 * minutes);

  it("becomes available by Cluster API's own controllers, with a hosted control plane and two real nodes", async () => {
    await management.run("apply", "-f", example);
    await management.run("wait", "cluster/blue", "-n", namespace, "--for=condition=Available", "--timeout=240s");
    const secret = await management.run("get", "secret", "blue-kubeconfig", "-n", namespace, "-o", "json");
    const { data } = JSON.parse(secret) as { data: { value: string } };
    await writeFile(tenantKubeconfig(), Buffer.from(data.value, "base64"), { mode: 0o600 });
    const tenant = new KubectlCalls(tenantKubeconfig());
    await tenant.run("wait", "nodes", "--all", "--for=condition=Ready", "--timeout=60s");
    const nodes = (await tenant.run("get", "nodes", "-o", "jsonpath={.items[*].metadata.name}")).split(" ");
    expect(nodes).toHaveLength(2);
    const owned = await management.run(
      "get",
      "machines",
      "-n",
      namespace,
      "-o",
      "jsonpath={.items[*].status.nodeRef.name}",
    );
    expect(owned.split(" ").sort()).toEqual(nodes.sort());
  });

  it("runs a pod, resolves names and answers exec and logs", async () => {
    const tenant = new KubectlCalls(tenantKubeconfig());
    const [node = ""] = (await tenant.run("get", "nodes", "-o", "jsonpath={.items[*].metadata.name}")).split(" ");
    await tenant.apply([talkativePod("one", node)]);
    await tenant.run("wait", "pod/one", "--for=condition=Ready", "--timeout=120s");
    await tenant.run("wait", "deployment/coredns", "-n", "kube-system", "--for=condition=Available", "--timeout=120s");
    await tenant.run("expose", "pod", "one", "--port=80", "--target-port=8080");
    const ask = "exec 3<>/dev/tcp/one.default.svc.cluster.local/80; /usr/bin/head -n1 <&3";
    const answer = await eventually(() => tenant.run("exec", "one", "--", "/usr/bin/bash", "-c", ask));
    expect(answer).toMatch(/^one hears 10\.244\./);
    expect(await tenant.run("logs", "-n", "kube-system", "deployment/coredns")).toContain("CoreDNS-");
  });

  it("has a control plane that is scaled through Cluster API", async () => {
    await management.run("scale", "stewardcontrolplane", "blue", "-n", namespace, "--replicas=2");
    await eventually(
      async () =>
        (await management.run("get", "stcp", "blue", "-n", namespace, "-o", "jsonpath={.status.readyReplicas}")) ===
        "2",
      { timeoutMs: 2 * minutes, intervalMs: 250, what: "two replicas of the control plane" },
    );
  });

  it("is deleted completely", async () => {
    await management.run("delete", "cluster", "blue", "-n", namespace, "--timeout=180s");
    const kinds = "all,secrets,pvc,pdb,networkpolicies,tcp,stcp,lc,lm,localmachinetemplates,machines,kubeadmconfigs";
    await eventually(async () => (await management.names(kinds, namespace)).length === 0, {
      timeoutMs: minutes,
      intervalMs: 500,
      what: "the end of everything in the namespace",
    });
    const used = await management.run("get", "datastore", "default", "-o", "jsonpath={.status.usedBy}");
    expect(["", "[]"]).toContain(used);
  });
});
