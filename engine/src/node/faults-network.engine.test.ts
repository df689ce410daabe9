import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { insideNamespace } from "./network-commands.ts";
import { type NetworkLayout, networkLayout } from "./network-layout.ts";
import { runCommand } from "./run-command.ts";
import { exitCodes } from "./testing/command-line.ts";
import { canRunEngines, FaultBench } from "./testing/fault-bench.ts";
import { findTraces } from "./testing/traces.ts";

let bench: FaultBench;

const success = expect.objectContaining({ code: 0 }) as unknown;

async function slotOf(): Promise<number> {
  return Number(await readFile(bench.engine().paths.slot, "utf8"));
}

async function layout(): Promise<NetworkLayout> {
  return networkLayout(await slotOf());
}

/** A process that listens on a port inside the engine's network. */
async function listenInside(port: number): Promise<ChildProcess> {
  const script = `require("node:net").createServer().listen(${port}, "0.0.0.0", () => console.log("listening"))`;
  const [program, ...args] = insideNamespace(await layout(), [process.execPath, "-e", script]);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe.runIf(canRunEngines)("an engine with a broken network", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    bench = await FaultBench.create();
    await bench.engine().up();
    await bench.engine().down();
  });
  afterAll(() => bench?.remove());

  it("names the interface that uses its addresses, and starts once it is deleted", async () => {
    const name = `br${bench.name.slice(-6)}`;
    const { podGateway } = await layout();
    await runCommand(["ip", "link", "add", name, "type", "bridge"]);
    onTestFinished(() =>
      runCommand(["ip", "link", "delete", name])
        .then(String, String)
        .then(() => undefined),
    );
    await runCommand(["ip", "address", "add", `${podGateway}/24`, "dev", name]);
    await runCommand(["ip", "link", "set", name, "up"]);
    const { code, said } = await bench.command(["up"]);
    expect(code).toBe(exitCodes.conflict);
    expect(said).toContain(`interface ${name} uses addresses in the engine's range`);
    expect(said).toContain(`Delete the interface (ip link delete ${name})`);
  });

  it("names a port in use and the process that uses it, and starts once the process has exited", async () => {
    for (const [port, component] of [
      [6443, "kube-apiserver"],
      [10250, "kubelet"],
    ] as const) {
      const listener = await listenInside(port);
      const { code, said } = await bench.command(["up"]);
      expect(code).toBe(exitCodes.unavailable);
      expect(said).toContain(`${component} cannot listen on port ${port} in the engine's network`);
      expect(said).toContain(`in use by process ${listener.pid} (node)`);
      expect(said).toContain(`Stop it (kill ${listener.pid}), then run: butleradm local up --name ${bench.name}`);
      await end(listener);
    }
    expect(await bench.command(["up"])).toEqual(success);
  });

  it("starts despite an empty namespace mount and a bridge in place of its interface", async () => {
    const uid = await bench.createObject("kept");
    await bench.engine().down();
    const { namespace, hostInterface } = await layout();
    await runCommand(["ip", "netns", "delete", namespace]);
    await writeFile(`/run/netns/${namespace}`, "");
    await runCommand(["ip", "link", "delete", hostInterface]).catch(() => undefined);
    await runCommand(["ip", "link", "add", hostInterface, "type", "bridge"]);
    expect(await bench.command(["up"])).toEqual(success);
    expect(await bench.objectId("kept")).toBe(uid);
  });

  it("starts again after its directory was removed while it ran, without conflicts with the old one", async () => {
    const { paths, name } = bench.engine();
    const before = [await slotOf()];
    const old = await findTraces({ home: bench.home, names: [], slots: [] });
    // What is mounted cannot be removed.
    await rm(paths.directory, { recursive: true, force: true }).catch(() => undefined);
    // Processes that run there may write at the same moment.
    await rm(paths.supervisor, { recursive: true, force: true, maxRetries: 10 });
    await rm(paths.slot, { force: true });
    expect(existsSync(paths.supervisor)).toBe(false);
    expect(await bench.command(["up"])).toEqual(success);
    expect([await slotOf()]).toEqual(before);
    expect(await bench.kubectl("get", "nodes", "-o", "name")).toBe(`node/butler-${name}`);
    await expect(bench.objectId("kept")).rejects.toThrow("NotFound");
    const daemons = (await findTraces({ home: bench.home, names: [], slots: [] })).filter((line) =>
      line.includes("supervisor/daemon.ts"),
    );
    expect(daemons).toHaveLength(1);
    expect(old.filter((line) => line.includes("supervisor/daemon.ts"))).toHaveLength(1);
    await eventually(async () => (await bench.engine().state()).services.every(({ state }) => state === "Ready"));
    expect(await bench.command(["reset"])).toEqual(success);
    expect(await findTraces({ home: bench.home, names: [name], slots: before })).toEqual([]);
  });
});
