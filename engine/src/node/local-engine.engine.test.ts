import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureTools } from "../ensure-tools.ts";
import { ensureUserLand } from "../images/user-land.ts";
import { writeImageArchive } from "../images/image-writer.ts";
import { LocalEngine } from "./local-engine.ts";
import { findTraces, type TraceSubject } from "./testing/traces.ts";

const run = promisify(execFile);
const toolbox = "ghcr.io/butlerdotdev/toolbox:test";
const canRun = process.platform === "linux" && process.getuid?.() === 0;

let home: string;
let kubectlPath: string;
let engine: LocalEngine;
const slots: number[] = [];

async function kubectl(...args: string[]): Promise<string> {
  const { stdout } = await run(kubectlPath, ["--kubeconfig", engine.paths.kubeconfig, ...args]);
  return stdout.trim();
}

/** A web server behind a Service, and a client that sends requests to it. */
const workload = [
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [
            { name: "web", image: toolbox, command: ["socat", "TCP-LISTEN:8080,fork,reuseaddr", "SYSTEM:echo served"] },
          ],
        },
      },
    },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
  },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "client" },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: "client", image: toolbox, command: ["bash", "-c", "echo started; exec sleep 86400"] }],
    },
  },
];

/** A load balancer in front of the web server, and a Job that writes to a volume. */
const fromOutside = [
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web-outside" },
    spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
  },
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Mi" } } },
  },
  {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "writer" },
    spec: {
      template: {
        spec: {
          restartPolicy: "Never",
          containers: [
            {
              name: "writer",
              image: toolbox,
              command: ["bash", "-c", "echo kept > /data/file; cat /data/file"],
              volumeMounts: [{ name: "data", mountPath: "/data" }],
            },
          ],
          volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
        },
      },
    },
  },
];

async function apply(objects: readonly object[]): Promise<void> {
  const applied = run(kubectlPath, ["--kubeconfig", engine.paths.kubeconfig, "apply", "-f", "-"]);
  applied.child.stdin?.end(JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  await applied;
}

async function slotOf({ paths }: LocalEngine): Promise<number> {
  return Number(await readFile(paths.slot, "utf8"));
}

/** Everything that a server sends on a connection. */
async function readFrom(host: string, port: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of connect({ host, port })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString().trim();
}

/** Sends a request to the web server by its name in the cluster. */
function askByName(): Promise<string> {
  return kubectl("exec", "client", "--", "bash", "-c", "exec 3<>/dev/tcp/web.default.svc.cluster.local/80; cat <&3");
}

describe.runIf(canRun)("a local engine", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "butler-engines-"));
    kubectlPath = (await ensureTools(["kubectl"])).kubectl;
    engine = new LocalEngine({ name: "test", home });
    await engine.up();
  });
  afterAll(async () => {
    await engine?.reset();
    await rm(home, { recursive: true, force: true });
  });

  it("has a Ready node of the pinned version", async () => {
    const node = JSON.parse(await kubectl("get", "node", "butler-test", "-o", "json")) as {
      status: { nodeInfo: { kubeletVersion: string }; conditions: { type: string; status: string }[] };
    };
    expect(node.status.nodeInfo.kubeletVersion).toBe("v1.36.3");
    expect(node.status.conditions).toContainEqual(expect.objectContaining({ type: "Ready", status: "True" }));
  });

  it("runs pods that find each other by name; exec and logs work", async () => {
    const archive = join(home, "toolbox.tar");
    const { node } = await ensureUserLand();
    const image = { name: toolbox, layers: [node], config: { entrypoint: ["/bin/bash"] } };
    await writeImageArchive({ ...image, architecture: process.arch === "arm64" ? "arm64" : "amd64", output: archive });
    await engine.loadImage(archive);
    expect(await engine.images()).toContain(toolbox);
    await apply(workload);
    await kubectl("wait", "--for=condition=Ready", "pod", "--all", "--timeout=60s");
    expect(await eventually(askByName)).toBe("served");
    expect(await kubectl("logs", "client")).toBe("started");
  });

  it("provides load balancer addresses, volumes for claims, and completes Jobs", async () => {
    await apply(fromOutside);
    await kubectl("wait", "--for=condition=complete", "job/writer", "--timeout=60s");
    expect(await kubectl("logs", "job/writer")).toBe("kept");
    const address = await eventually(() =>
      kubectl("get", "service", "web-outside", "-o", "jsonpath={.status.loadBalancer.ingress[0].ip}"),
    );
    expect(await eventually(() => readFrom(address, 80))).toBe("served");
    const volumes = await readdir(engine.paths.volumes);
    expect(volumes).toHaveLength(1);
    await kubectl("delete", "job/writer", "pvc/data", "--wait=false");
    await eventually(async () => (await readdir(engine.paths.volumes)).length === 0, {
      what: "the volume being removed",
    });
    await eventually(async () => (await kubectl("get", "pv", "-o", "name")) === "");
  });

  it("forwards a pod's port", async () => {
    const forwarding = spawn(kubectlPath, [
      "--kubeconfig",
      engine.paths.kubeconfig,
      "port-forward",
      "service/web",
      ":80",
    ]);
    try {
      const [line] = (await once(forwarding.stdout, "data")) as [Buffer];
      const port = Number(/127\.0\.0\.1:(\d+)/.exec(line.toString())?.[1]);
      expect(await eventually(() => readFrom("127.0.0.1", port))).toBe("served");
    } finally {
      forwarding.kill("SIGKILL");
    }
  });

  it.each([
    "butler-local-node",
    "kubelet",
    "containerd",
    "kube-proxy",
    "kube-scheduler",
    "kube-controller-manager",
    "kube-apiserver",
    "etcd",
  ])("recovers after kill -9 of %s, and no object is lost", async (component) => {
    const victim = (await engine.state()).services.find(({ name }) => name === component)?.process?.pid;
    process.kill(victim ?? expect.fail(`${component} does not run`), "SIGKILL");
    await eventually(
      async () => {
        const { services } = await engine.state();
        const service = services.find(({ name }) => name === component);
        return service?.process?.pid !== victim && services.every(({ state }) => state === "Ready");
      },
      { timeoutMs: 30_000, what: `${component} being back` },
    );
    expect(await eventually(() => kubectl("get", "pods", "--no-headers", "-o", "name"))).toContain("pod/client");
    expect(await eventually(askByName)).toBe("served");
  });

  it("is supervised again after kill -9 of the supervisor itself, without restarting services", async () => {
    const before = await engine.state();
    process.kill(before.supervisorPid ?? expect.fail("no supervisor"), "SIGKILL");
    const after = await eventually(
      async () => {
        const state = await engine.state();
        return (
          state.supervisorPid !== before.supervisorPid &&
          state.services.every((service) => service.state === "Ready") &&
          state
        );
      },
      { timeoutMs: 30_000, what: "a new supervisor" },
    );
    const pids = ({ services }: typeof before): unknown =>
      services.map(({ name, process: running }) => [name, running?.pid]);
    expect(pids(after)).toEqual(pids(before));
  });

  it("keeps objects and kubeconfig across down and up", async () => {
    const kubeconfig = await readFile(engine.paths.kubeconfig, "utf8");
    const uid = await kubectl("get", "service", "web", "-o", "jsonpath={.metadata.uid}");
    await engine.down();
    expect((await engine.state()).services).toEqual([]);
    await engine.up();
    expect(await readFile(engine.paths.kubeconfig, "utf8")).toBe(kubeconfig);
    expect(await kubectl("get", "service", "web", "-o", "jsonpath={.metadata.uid}")).toBe(uid);
    expect(await eventually(askByName, { timeoutMs: 60_000 })).toBe("served");
  });

  it("runs next to another engine without interference", async () => {
    const other = new LocalEngine({ name: "other", home });
    try {
      await other.up();
      slots.push(await slotOf(other));
      const { stdout } = await run(kubectlPath, [
        "--kubeconfig",
        other.paths.kubeconfig,
        "get",
        "pods,nodes",
        "-o",
        "name",
      ]);
      expect(stdout.trim()).toBe("node/butler-other");
      expect(await kubectl("get", "nodes", "-o", "name")).toBe("node/butler-test");
      expect(await eventually(askByName)).toBe("served");
    } finally {
      await other.reset();
    }
  });

  it("leaves no process, mount, interface, namespace, cgroup, firewall chain or file behind", async () => {
    slots.push(await slotOf(engine));
    const subject: TraceSubject = { home, names: ["test", "other"], slots };
    expect((await findTraces(subject)).length).toBeGreaterThan(10);
    await engine.reset();
    expect(await findTraces(subject)).toEqual([]);
    expect(existsSync(engine.paths.directory)).toBe(false);
  });
});
