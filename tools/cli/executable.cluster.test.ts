import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";
import { aTestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-cli-"));
  await run(process.execPath, [new URL("../build-cli.ts", import.meta.url).pathname, folder]);
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in an environment that contains only kubectl and the built files. */
async function built(program: string, ...words: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return run(join(folder, program), words, { env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder } });
}

describe("the built command lines", () => {
  it.each(["butlerctl", "butleradm"])("%s runs standalone", async (name) => {
    expect((await built(name, "version", "--client")).stdout).toMatch(/^Client: +\d+\.\d+\.\d+\n$/);
    expect((await built(name, "--help")).stdout).toContain(`Usage: ${name}`);
    const { stdout } = await run(process.execPath, [join(folder, `${name}.cjs`), "version", "--client"]);
    expect(stdout).toMatch(/^Client: /);
  });

  it("uses its precompiled code cache", async () => {
    const env = { BUTLER_CODE_CACHE: "tell", HOME: folder };
    expect((await run(join(folder, "butlerctl"), ["version", "--client"], { env })).stderr).toBe("all used\n");
  });

  it("loads every command", async () => {
    for (const [name, ...words] of [
      ["butlerctl", "cluster", "create", "--help"],
      ["butlerctl", "addon", "enable", "--help"],
      ["butlerctl", "login", "--help"],
      ["butleradm", "network", "show", "--help"],
      ["butleradm", "local", "up", "--help"],
    ] as const) {
      expect((await built(name, ...words)).stdout).toContain(`Usage: ${name} ${words.slice(0, -1).join(" ")}`);
    }
  });

  it("reports that the engine is not included", async () => {
    await expect(built("butleradm", "local", "status")).rejects.toMatchObject({
      code: 6,
      stderr: expect.stringContaining("without the engine") as string,
    });
  });

  it("includes what signing in requires", async () => {
    await expect(built("butlerctl", "login", "--server", "https://127.0.0.1:10")).rejects.toMatchObject({
      code: 6,
      stderr: expect.stringContaining("cannot reach https://127.0.0.1:10") as string,
    });
  });

  it("installs its embedded chart with an available helm, and asks for helm if there is none", async () => {
    const { helm } = await ensureTools(["helm"]);
    const cluster = await aTestCluster({ withControllerManager: true });
    // No pod can run here.
    const roles = ["steward", "controller", "sniGateway", "server"];
    const install = ["install", "--dry-run", ...roles.flatMap((role) => ["--set", `${role}.replicas=0`])];
    const env = { PATH: "/usr/bin:/bin", HOME: folder, KUBECONFIG: cluster.controlPlane.kubeconfigPath };
    try {
      for (const name of ["butler-terminals", "butler-cli", "butler-cli-admins"]) await cluster.createNamespace(name);
      const { stderr } = await run(join(folder, "butleradm"), install, { env: { ...env, BUTLER_HELM: helm } });
      expect(stderr).toContain("Dry run: nothing was changed.");
      await expect(run(join(folder, "butleradm"), install, { env })).rejects.toMatchObject({
        code: 6,
        stderr: expect.stringContaining("Install Helm 4, or set its path with --helm") as string,
      });
    } finally {
      await cluster.stop();
    }
  });

  it("is found by kubectl as a plug-in, with completion", async () => {
    const { kubectl } = await ensureTools(["kubectl"]);
    const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder };
    expect((await run(kubectl, ["butler", "version", "--client"], { env })).stdout).toMatch(/^Client: /);
    expect((await run(kubectl, ["plugin", "list"], { env })).stdout).toContain(join(folder, "kubectl-butler"));
    const { stdout } = await run(kubectl, ["__complete", "butler", "cluster", "sc"], { env });
    expect(stdout).toContain("scale");
  });

  it("runs from any directory", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "butler-cli-moved-"));
    try {
      await copyFile(join(folder, "butlerctl"), join(elsewhere, "copy"));
      await symlink("copy", join(elsewhere, "kubectl-butler"));
      expect((await run(join(elsewhere, "kubectl-butler"), ["version", "--client"])).stdout).toMatch(/^Client: /);
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });
});
