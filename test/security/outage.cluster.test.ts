import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, loadKubeConfig } from "@butler/kube";
import type { Browser, WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FreezingProxy } from "./lib/freezing-proxy.ts";
import { answerOf, people, send, startPlatform } from "./lib/platform.ts";

let platform: WholeServer;
let proxy: FreezingProxy;
let folder: string;
let behind: Awaited<ReturnType<WholeServer["startAnother"]>>;
let root: Browser;

beforeAll(async () => {
  platform = await startPlatform("security-outage");
  const { controlPlane } = platform.cluster;
  proxy = new FreezingProxy(controlPlane.server);
  const url = await proxy.start();
  folder = await mkdtemp(join(tmpdir(), "butler-outage-"));
  const path = join(folder, "kubeconfig");
  await writeFile(path, (await readFile(controlPlane.kubeconfigPath, "utf8")).replaceAll(controlPlane.server, url));
  const config = loadKubeConfig(path);
  const { client } = connect(config, { userAgent: "test" });
  behind = await platform.startAnother({ server: { client, config } });
  root = await platform.signInAs({ email: people.root });
});

afterAll(async () => {
  // The server ends only once its own connections do.
  proxy?.thaw();
  await platform?.stop();
  await proxy?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Milliseconds that work takes, and its result. */
async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const beganMs = performance.now();
  const result = await work();
  return { ms: performance.now() - beganMs, result };
}

const signIn = () =>
  fetch(`${behind.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "nobody@example.com", password: "some password" }),
  });

describe("a frozen API server", () => {
  it("hole 15: readiness reports it, and requests fail fast until it responds again", async () => {
    const ready = async () => (await fetch(`${behind.url}/readyz`)).status;
    expect([await ready(), (await send(root, `${behind.url}/api/users`)).status]).toEqual([200, 200]);
    proxy.freeze();
    try {
      // Begun before the loss is known.
      const early = timed(() => send(root, `${behind.url}/api/auth/password`, { method: "POST", body: {} }));
      await eventually(async () => (await ready()) === 503, { timeoutMs: 15_000 });
      expect((await early).ms).toBeLessThan(15_000);
      for (const ask of [signIn, () => root.send(`${behind.url}/api/users`), () => fetch(`${behind.url}/readyz`)]) {
        const { ms: waited, result } = await timed(ask);
        expect(waited).toBeLessThan(5_000);
        expect(result.headers.get("content-type")).toContain("application/problem+json");
        expect(Number(result.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(await answerOf(result)).toMatchObject({ status: 503, code: "UNAVAILABLE" });
      }
      expect((await fetch(`${behind.url}/healthz`)).status).toBe(200);
      // The replica whose connection works is not affected.
      expect((await send(root, `${platform.url}/api/users`)).status).toBe(200);
    } finally {
      proxy.thaw();
    }
    await eventually(async () => (await ready()) === 200, { timeoutMs: 30_000 });
    expect((await signIn()).status).toBe(401);
  });
});
