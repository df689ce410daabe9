import { once } from "node:events";
import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalEngine } from "./local-engine.ts";
import { canRunEngines, FaultBench } from "./testing/fault-bench.ts";

/** Long enough for an engine to come up on a busy machine, short enough to wait for. */
const lifetimeMs = 40_000;
const timeoutMs = 90_000;

let bench: FaultBench;
let engine: LocalEngine;
let ends: Date;
let uid: string;

/** The certificate that a server presents. */
async function presented(port: number): Promise<{ until: Date; serial: string }> {
  const host = await engine.nodeAddress();
  const socket = connect({ host, port, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect");
    const { valid_to: until, serialNumber } = socket.getPeerCertificate();
    return { until: new Date(until), serial: serialNumber };
  } finally {
    socket.destroy();
  }
}

async function processes(): Promise<Record<string, number | undefined>> {
  const { services } = await engine.state();
  return Object.fromEntries(services.map(({ name, process: running }) => [name, running?.pid]));
}

async function allReady(): Promise<boolean> {
  return (await engine.state()).services.every(({ state }) => state === "Ready");
}

/** A pod goes through every component: scheduled, admitted, run, and its log read through the kubelet. */
async function runPod(name: string): Promise<string> {
  const image = (await engine.images()).find((each) => each.includes("coredns")) ?? expect.fail("no image");
  const restart = ["--restart=Never", "--image-pull-policy=IfNotPresent"];
  await eventually(() => bench.kubectl("run", name, `--image=${image}`, ...restart, "--", "-version").then(() => true));
  return eventually(() => bench.kubectl("logs", name), { timeoutMs, what: `the log of ${name}` });
}

async function spoil(files: RegExp, text: string): Promise<void> {
  const { pki } = engine.paths.controlPlane;
  for (const file of await readdir(pki)) if (files.test(file)) await writeFile(join(pki, file), text);
}

const serverPorts = [6443, 10250, 10257, 10259];

describe.runIf(canRunEngines)("certificates of a running engine", { timeout: 300_000 }, () => {
  beforeAll(async () => {
    bench = await FaultBench.create();
    engine = bench.engine({ certificateLifetimeMs: lifetimeMs });
    await engine.up();
    ends = (await presented(6443)).until;
    uid = await bench.createObject("kept");
    await copyFile(engine.paths.kubeconfig, join(bench.home, "first-kubeconfig"));
  });
  afterAll(() => bench?.remove());

  it("are renewed before they expire, and everything keeps working after the first ones have expired", async () => {
    const before = await processes();
    await eventually(() => Date.now() > ends.getTime(), { timeoutMs, what: "the end of the first ones" });
    const isFresh = async (port: number): Promise<boolean> => (await presented(port)).until > ends;
    for (const port of serverPorts)
      await eventually(() => isFresh(port), { timeoutMs, what: `a later end on port ${port}` });
    await eventually(allReady, { timeoutMs });
    expect(await eventually(() => bench.objectId("kept"))).toBe(uid);
    const old = bench.kubectl("--kubeconfig", join(bench.home, "first-kubeconfig"), "get", "nodes");
    await expect(old).rejects.toThrow(/Unauthorized|provide credentials|must be logged in/);
    expect(await runPod("after-the-end")).toContain("CoreDNS");
    const after = await processes();
    for (const name of ["etcd", "containerd"]) expect(after[name], name).toBe(before[name]);
    await eventually(async () => (await engine.state()).troubles.length === 0, { timeoutMs, what: "no problems" });
  });

  it("are reloaded by Kubernetes without a restart when renewed in time", async () => {
    engine = bench.engine();
    await engine.up();
    // What is damaged may have ended: it is replaced by certificates of a year, and programs are restarted.
    await spoil(/^(?!.*ca\.).*\.crt$/, "damaged");
    await engine.up();
    await eventually(allReady, { timeoutMs });
    const [before, first] = [await processes(), await Promise.all(serverPorts.map(presented))];
    // Without its key a certificate is of no use, though it would live for long.
    await spoil(/^(?!.*ca\.|service-account).*\.key$/, "");
    await engine.up();
    await eventually(
      async () => {
        const now = await Promise.all(serverPorts.map(presented));
        return now.every(({ serial }, at) => serial !== first[at]?.serial);
      },
      { timeoutMs, what: "new certificates on all ports" },
    );
    const { "butler-local-node": _own, ...others } = before;
    expect(await processes()).toMatchObject(others);
    // Clients that have to reconnect present the new certificate.
    process.kill(before["kube-apiserver"] ?? expect.fail("no API server"), "SIGKILL");
    process.kill(before["etcd"] ?? expect.fail("no etcd"), "SIGKILL");
    await eventually(async () => (await processes())["kube-apiserver"] !== before["kube-apiserver"]);
    await eventually(allReady, { timeoutMs });
    expect(await runPod("with-new-ones")).toContain("CoreDNS");
    await bench.kubectl("create", "service", "loadbalancer", "outside", "--tcp=80");
    const address = ["get", "service", "outside", "-o", "jsonpath={.status.loadBalancer.ingress[0].ip}"];
    expect(await eventually(() => bench.kubectl(...address), { timeoutMs, what: "an address" })).toMatch(/^10\./);
    expect(await eventually(() => bench.objectId("kept"))).toBe(uid);
  });
});
