import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "./testing/command-line.ts";
import { canRunEngines, FaultBench } from "./testing/fault-bench.ts";
import { losePower } from "./testing/power-loss.ts";
import { findTraces } from "./testing/traces.ts";

let bench: FaultBench;

const success = expect.objectContaining({ code: 0 }) as unknown;

/** Starts `up` and presses Ctrl-C at the given moment. */
async function interruptUp(moment: (said: string) => boolean) {
  const up = bench.start("up");
  await eventually(() => moment(up.said()) || up.child.exitCode !== null, { intervalMs: 5, what: "the moment" });
  expect(up.child.kill("SIGINT"), "up had ended already").toBe(true);
  return up.ended;
}

const moments: readonly (readonly [string, (said: string) => boolean])[] = [
  ["its lock was taken", () => existsSync(join(bench.engine().paths.directory, ".up.lock"))],
  ["keys were written", () => existsSync(bench.engine().paths.kubeconfig)],
  ["the supervisor began", () => existsSync(join(bench.engine().paths.supervisor, "status.json"))],
  ["components became ready", (said) => said.includes("is ready")],
];

describe.runIf(canRunEngines)("an engine that is interrupted", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    bench = await FaultBench.create();
  });
  afterAll(() => bench?.remove());

  it.each(moments)("by Ctrl-C when %s, leaves nothing behind that reset does not remove", async (_when, moment) => {
    const result = await interruptUp(moment);
    expect(result).toMatchObject({ code: 130, said: expect.stringContaining("butleradm: interrupted") as unknown });
    expect(result.said).toContain(`Resume with "butleradm local up --name ${bench.name}"`);
    const { paths } = bench.engine();
    const slot = existsSync(paths.slot) ? [Number(await readFile(paths.slot, "utf8"))] : [];
    expect(await bench.command(["reset"])).toEqual(success);
    expect(await findTraces({ home: bench.home, names: [bench.name], slots: slot })).toEqual([]);
    expect(existsSync(paths.directory)).toBe(false);
  });

  it("by Ctrl-C is completed by the next up, and can be stopped", async () => {
    expect(await interruptUp((said) => said.includes("etcd is ready"))).toMatchObject({ code: 130 });
    expect(await bench.command(["up"])).toEqual(success);
    expect(await bench.kubectl("get", "nodes", "-o", "name")).toBe(`node/butler-${bench.name}`);
    const moment = (): boolean => existsSync(join(bench.engine().paths.directory, ".up.lock"));
    expect(await interruptUp(moment)).toMatchObject({ code: 130 });
    expect(await bench.command(["down"])).toEqual(success);
    expect((await bench.engine().state()).services).toEqual([]);
  });

  it("by another up, down or reset rejects them with a remedy, and they work afterwards", async () => {
    const first = bench.start("up");
    await eventually(() => existsSync(join(bench.engine().paths.directory, ".up.lock")), { intervalMs: 5 });
    const others = await Promise.all(["up", "down", "reset"].map((verb) => bench.command([verb])));
    for (const { code, said } of others) {
      expect(code).toBe(exitCodes.conflict);
      expect(said).toContain(`locked by process ${first.child.pid} (start the engine ${bench.name})`);
      expect(said).toContain(`Wait for it to finish, or stop it (kill ${first.child.pid}) and retry.`);
    }
    expect(await first.ended).toEqual(success);
    expect(await bench.command(["up"])).toEqual(success);
  });

  it("by a power loss restarts with the same objects and the same kubeconfig", async () => {
    const engine = bench.engine();
    const uid = await bench.createObject("kept");
    const kubeconfig = await readFile(engine.paths.kubeconfig, "utf8");
    await losePower(engine);
    expect((await engine.state()).services).toEqual([]);
    expect(await bench.command(["up"])).toEqual(success);
    expect(await bench.objectId("kept")).toBe(uid);
    expect(await readFile(engine.paths.kubeconfig, "utf8")).toBe(kubeconfig);
    await bench.kubectl(
      "wait",
      "--for=condition=Available",
      "deployment/coredns",
      "-n",
      "kube-system",
      "--timeout=60s",
    );
  });
});
