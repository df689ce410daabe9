import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { userLandFiles } from "./base-files.ts";
import { thisHost } from "./host-files.ts";
import { writeImageArchive } from "./image-writer.ts";
import { butlerNodeImage, nodeBootstrapScript, type NodeParts, type NodeProgram } from "./node-image.ts";
import { unpackImageLayout, unpackTar } from "./testing/image-layout.ts";
import { planUserLand } from "./user-land-plan.ts";
import { nodeUserLand } from "./user-land-programs.ts";

const record = 'echo "$(basename "$0") $*" >>/var/log/events';

/** Stand-ins that record their calls; kubeadm waits for the kubelet as the real one does. */
const standIns: Readonly<Record<NodeProgram, string>> = {
  containerd: `${record}; sleep 1000`,
  "containerd-shim-runc-v2": record,
  ctr: `[ "$1" != version ] || exec grep -q ^containerd /var/log/events
${record}`,
  kubeadm: `${record}
[ "$1" = join ] || exit 0
echo config >/var/lib/kubelet/config.yaml
echo 'KUBELET_KUBEADM_ARGS="--one=1 --two=2"' >/var/lib/kubelet/kubeadm-flags.env
echo conf >/etc/kubernetes/kubelet.conf
until grep -q ^kubelet /var/log/events; do sleep 0.05; done`,
  kubectl: record,
  kubelet: `[ "$1" != --help ] || exec echo --fail-cgroupv1
${record}; sleep 1000`,
  runc: record,
};

async function nodeParts(): Promise<NodeParts> {
  const folder = await temporaryDirectory();
  const write = async (name: string, text: string): Promise<[string, string]> => {
    const path = join(folder, name);
    await writeFile(path, text);
    await chmod(path, 0o755);
    return [name, path];
  };
  const programs = await Promise.all(
    Object.entries(standIns).map(([name, script]) => write(name, `#!/bin/sh\n${script}\n`)),
  );
  const [, archive] = await write("archive", "an archive");
  const image = (name: string): { name: string; archive: string } => ({ name: `registry.k8s.io/${name}`, archive });
  return {
    name: "ghcr.io/butlerdotdev/butler-node:v1.36.3",
    programs: Object.fromEntries(programs) as Record<NodeProgram, string>,
    networkPlugins: Object.fromEntries([await write("bridge", "plugin")]),
    userLand: [...userLandFiles({ caBundle: undefined }), ...(await planUserLand(thisHost, nodeUserLand)).entries],
    sandboxImage: "registry.k8s.io/pause:3.10.2",
    imagesBeforeKubelet: [image("pause:3.10.2"), image("kube-proxy:v1.36.3")],
    imagesAfterKubelet: [image("coredns/coredns:v1.15.0")],
  };
}

/** Unpacks the image as a container runtime would, one layer over the other. */
async function unpackNode(): Promise<string> {
  const output = join(await temporaryDirectory(), "node.tar");
  const { layers } = await writeImageArchive({ ...butlerNodeImage(await nodeParts()), architecture: "amd64", output });
  const layout = await unpackImageLayout(output);
  const root = await temporaryDirectory();
  for (const { digest } of layers) await unpackTar(layout.blobPath(digest), root);
  await mkdir(dirname(join(root, nodeBootstrapScript)), { recursive: true });
  for (const folder of ["dev", "proc", "sys"]) await mkdir(join(root, folder));
  return root;
}

const enterRoot = `
set -e
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t tmpfs tmpfs dev
mknod dev/null c 1 3
touch dev/kmsg
touch termination-log dev/termination-log
mount --bind termination-log dev/termination-log
exec chroot . /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin BUTLER_SANDBOX_IMAGE=registry.k8s.io/pause:3.10.2 /usr/local/bin/node-entrypoint
`;

class StartedNode {
  readonly #outside: ChildProcess;
  readonly ended: Promise<number>;
  output = "";

  constructor(root: string) {
    const namespaces = ["--mount", "--pid", "--net", "--fork", "--kill-child"];
    this.#outside = spawn("/usr/bin/unshare", [...namespaces, "sh", "-c", enterRoot, "sh", root]);
    this.ended = once(this.#outside, "exit").then(([code]) => code as number);
    for (const stream of [this.#outside.stdout, this.#outside.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    onTestFinished(async () => {
      this.#outside.kill("SIGKILL");
      await this.ended;
    });
  }

  async isUp(): Promise<void> {
    while (!this.output.includes("butler-node: node is up")) {
      if (this.#outside.exitCode !== null) throw new Error(`the node has ended:\n${this.output}`);
      await wait(20);
    }
  }

  /** Asks process 1 to end, as a container runtime does. */
  async stop(): Promise<number> {
    const pid = this.#outside.pid ?? 0;
    const processOne = Number(await readFile(`/proc/${pid}/task/${pid}/children`, "utf8"));
    process.kill(processOne, "SIGTERM");
    return this.ended;
  }
}

function mayMakeNamespaces(): boolean {
  try {
    execFileSync("/usr/bin/unshare", ["--mount", "--pid", "--net", "--fork", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const joinScript = "kubeadm join --config x && echo success >/run/cluster-api/bootstrap-success.complete\n";

describe.skipIf(process.platform !== "linux" || !mayMakeNamespaces())("process 1 of the node", () => {
  let root: string;
  const events = async (): Promise<string[]> =>
    (await readFile(join(root, "var/log/events"), "utf8")).trim().split("\n");
  const forget = (): Promise<void> => writeFile(join(root, "var/log/events"), "");
  const bootstrapWith = (script: string): Promise<void> => writeFile(join(root, nodeBootstrapScript), script);

  beforeEach(async () => {
    root = await unpackNode();
  });

  const containerd = "containerd --config /etc/containerd/config.toml --log-level warn";
  const load = (when: string, file: string): string =>
    `ctr --namespace k8s.io images import --local /var/lib/butler/images/${when}-kubelet/registry.k8s.io_${file}.tar`;
  const kubelet =
    "kubelet --config=/var/lib/kubelet/config.yaml --kubeconfig=/etc/kubernetes/kubelet.conf " +
    "--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --cgroup-driver=cgroupfs --fail-swap-on=false " +
    "--image-gc-high-threshold=100 --eviction-hard=memory.available<100Mi,nodefs.available<1%,imagefs.available<1% " +
    `${existsSync("/sys/fs/cgroup/cgroup.controllers") ? "" : "--fail-cgroupv1=false "}--one=1 --two=2`;

  it("loads images, joins, runs the kubelet, and stops promptly on request", async () => {
    await bootstrapWith(joinScript);
    const node = new StartedNode(root);
    await node.isUp();
    expect(await events()).toEqual([
      containerd,
      load("before", "kube-proxy_v1.36.3"),
      load("before", "pause_3.10.2"),
      "kubeadm join --config x",
      kubelet,
      load("after", "coredns_coredns_v1.15.0"),
    ]);
    const config = await readFile(join(root, "etc/containerd/config.toml"), "utf8");
    expect(config).toContain('sandbox = "registry.k8s.io/pause:3.10.2"');
    expect(config).toMatch(/restrict_oom_score_adj = (true|false)/);
    expect(config.split("\n").filter((line) => line.includes("@") && !line.startsWith("#"))).toEqual([]);
    const start = performance.now();
    expect(await node.stop()).toBe(0);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it("restarts as the same machine, without loading or joining again", async () => {
    await bootstrapWith(joinScript);
    const first = new StartedNode(root);
    await first.isUp();
    const machineId = await readFile(join(root, "etc/machine-id"), "utf8");
    expect(machineId).toMatch(/^[0-9a-f]{32}\n$/);
    await first.stop();
    await forget();
    const second = new StartedNode(root);
    await second.isUp();
    while ((await events()).length < 2) await wait(20);
    expect(await events()).toEqual([containerd, kubelet]);
    expect(await readFile(join(root, "etc/machine-id"), "utf8")).toBe(machineId);
  });

  it("exits with a reason when the bootstrap script fails, and cleans up before the next attempt", async () => {
    await bootstrapWith("echo the API server does not answer; exit 3\n");
    const first = new StartedNode(root);
    expect(await first.ended).toBe(1);
    expect(await readFile(join(root, "termination-log"), "utf8")).toBe(
      "the bootstrap script failed with status 3: the API server does not answer\n",
    );
    await forget();
    await bootstrapWith(joinScript);
    const second = new StartedNode(root);
    await second.isUp();
    expect((await events()).slice(0, 3)).toEqual([containerd, "kubeadm reset --force", "kubeadm join --config x"]);
  });

  it("waits to be joined manually when there is no bootstrap script", async () => {
    const node = new StartedNode(root);
    await node.isUp();
    expect(node.output).toContain("can still be joined manually");
    expect((await events()).some((event) => event.startsWith("kubelet"))).toBe(false);
  });
});
