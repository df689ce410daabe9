import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, readdir, stat, writeFile } from "node:fs/promises";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ensureTools } from "../ensure-tools.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import type { ControlPlane } from "./control-plane-interface.ts";
import type { ControlPlaneOptions } from "./control-plane-options.ts";
import { startControlPlane } from "./control-plane.ts";

const run = promisify(execFile);
const timeoutMs = 120_000;
let kubectlPath = "";

beforeAll(async () => {
  kubectlPath = (await ensureTools(["etcd", "kube-apiserver", "kubectl", "kube-controller-manager"])).kubectl;
}, 1_800_000);

async function start(options: ControlPlaneOptions): Promise<ControlPlane> {
  const plane = await startControlPlane(options);
  onTestFinished(() => plane.stop());
  return plane;
}

async function kubectl(plane: ControlPlane, ...words: readonly string[]): Promise<string> {
  return (await run(kubectlPath, ["--kubeconfig", plane.kubeconfigPath, ...words])).stdout.trim();
}

/** The command lines of all processes that use a directory. */
async function processesOf(directory: string): Promise<string[]> {
  const { stdout } = await run("ps", ["-eo", "pid,args"], { maxBuffer: 16 << 20 });
  return stdout.split("\n").filter((line) => line.includes(directory) && !line.includes("ps -eo"));
}

async function isPresent(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

describe("startControlPlane", () => {
  it(
    "runs two isolated instances at once, keeps objects over restarts and leaves nothing behind",
    async () => {
      const [left, right] = await Promise.all([
        start({ name: "left", withControllerManager: true }),
        start({ name: "right" }),
      ]);
      expect(await kubectl(left, "get", "namespaces", "-o", "name")).toContain("namespace/default");
      expect(await kubectl(right, "get", "namespaces", "-o", "name")).toContain("namespace/default");
      expect(left.server).not.toBe(right.server);

      await kubectl(left, "create", "namespace", "only-left");
      await kubectl(right, "create", "namespace", "only-right");
      expect(await kubectl(left, "get", "namespaces", "-o", "name")).not.toContain("only-right");
      expect(await kubectl(right, "get", "namespaces", "-o", "name")).not.toContain("only-left");

      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        const before = left.server;
        await left.restartApiServer({ signal });
        expect(left.server).toBe(before);
        expect(await kubectl(left, "get", "namespace", "only-left", "-o", "name")).toBe("namespace/only-left");
      }

      // The controller manager has outlived both restarts: a Deployment still gets its ReplicaSet.
      await kubectl(left, "create", "deployment", "web", "--image=example.com/web");
      await expect
        .poll(() => kubectl(left, "get", "replicasets", "-o", "name"), { timeout: 60_000, interval: 500 })
        .toContain("replicaset.apps/web-");

      expect(await processesOf(left.directory)).toHaveLength(4);
      expect(await processesOf(right.directory)).toHaveLength(3);
      await Promise.all([left.stop(), right.stop(), left.stop()]);
      for (const { directory } of [left, right]) {
        expect(await processesOf(directory)).toEqual([]);
        expect(await isPresent(directory)).toBe(false);
      }
      await expect(left.startApiServer()).rejects.toThrow("has been stopped");
    },
    timeoutMs,
  );

  it(
    "authenticates users by certificate, applies RBAC, and shows only its health to anonymous users",
    async () => {
      const plane = await start({ name: "access" });
      const { kubeconfig } = await plane.issueClientCertificate({ user: "jane", groups: ["viewers", "others"] });
      const janesFile = join(plane.directory, "jane.kubeconfig");
      await writeFile(janesFile, JSON.stringify(kubeconfig));
      const asJane = (...words: readonly string[]) => run(kubectlPath, ["--kubeconfig", janesFile, ...words]);

      await expect(asJane("get", "namespaces")).rejects.toThrow(/User \\?"jane\\?" cannot list/);
      await kubectl(plane, "create", "clusterrole", "lister", "--verb=list", "--resource=namespaces");
      await kubectl(plane, "create", "clusterrolebinding", "viewers", "--clusterrole=lister", "--group=viewers");
      const listed = () => asJane("get", "namespaces").then(({ stdout }) => stdout, String);
      await expect.poll(listed, { timeout: 10_000 }).toContain("kube-system");
      await kubectl(plane, "run", "lonely", "--image=example.com/lonely");

      expect(await statusWithoutCredentials(plane, "/readyz")).toBe(200);
      expect(await statusWithoutCredentials(plane, "/version")).toBe(401);
      expect(await statusWithoutCredentials(plane, "/api/v1/namespaces")).toBe(401);
      expect(((await stat(plane.kubeconfigPath)).mode & 0o777).toString(8)).toBe("600");
      expect(await plane.logs("kube-apiserver")).toContain("Serving securely on 127.0.0.1");
      expect(() => plane.logs("kube-controller-manager")).toThrow("has no kube-controller-manager");
    },
    timeoutMs,
  );

  it(
    "continues from a data directory, on a fixed port, for one owner at a time",
    async () => {
      const dataDir = join(await temporaryDirectory(), "data");
      const first = await start({ name: "kept", dataDir });
      await kubectl(first, "create", "namespace", "kept");
      await expect(startControlPlane({ name: "kept", dataDir })).rejects.toThrow(`in use by process ${process.pid}`);

      await first.stopApiServer({ signal: "SIGKILL" });
      await expect(kubectl(first, "get", "namespaces")).rejects.toThrow("refused");
      await first.startApiServer();
      await first.startApiServer();
      expect(await kubectl(first, "get", "namespace", "kept", "-o", "name")).toBe("namespace/kept");
      await first.stop();
      expect(await isPresent(dataDir)).toBe(true);
      expect(await processesOf(dataDir)).toEqual([]);

      const second = await start({ name: "kept", dataDir, apiServerPort: Number(new URL(first.server).port) });
      expect(second.server).toBe(first.server);
      expect(second.caPem).toBe(first.caPem);
      expect(await kubectl(second, "get", "namespace", "kept", "-o", "name")).toBe("namespace/kept");
    },
    timeoutMs,
  );

  it(
    "explains why a component does not start, and cleans up",
    async () => {
      const before = await butlerDirectories("broken");
      const broken = { "kube-apiserver": { extraArgs: { "no-such-flag": "1" } } };
      await expect(startControlPlane({ name: "broken", components: broken })).rejects.toMatchObject({
        message: expect.stringMatching(/kube-apiserver exited with code 1 during startup[^]*no-such-flag/) as unknown,
        hint: expect.stringContaining("extraArgs") as unknown,
      });
      expect(await butlerDirectories("broken")).toEqual(before);
    },
    timeoutMs,
  );

  it(
    "leaves no process and no directory when its process is killed",
    async () => {
      const module = JSON.stringify(join(import.meta.dirname, "control-plane.ts"));
      const script = `import { startControlPlane } from ${module};
        process.stdout.write((await startControlPlane({ name: "doomed" })).directory);`;
      const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void owner.kill("SIGKILL"));
      const [directory] = (await once(owner.stdout.setEncoding("utf8"), "data")) as [string];
      expect(await processesOf(directory)).toHaveLength(3);
      owner.kill("SIGKILL");
      await expect.poll(() => processesOf(directory), { timeout: 10_000 }).toEqual([]);
      await expect.poll(() => isPresent(directory), { timeout: 10_000 }).toBe(false);
    },
    timeoutMs,
  );
});

async function butlerDirectories(name: string): Promise<string[]> {
  return (await readdir(tmpdir())).filter((entry) => entry.startsWith(`butler-${name}-`));
}

function statusWithoutCredentials(plane: ControlPlane, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    https
      .get(`${plane.server}${path}`, { ca: plane.caPem, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .once("error", reject);
  });
}
