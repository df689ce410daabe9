import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { createBlue, useHarness } from "./testing/harness.ts";

const run = promisify(execFile);
const bin = fileURLToPath(new URL("../../../bin", import.meta.url));
const harness = useHarness("butlerctl-kit");

beforeAll(async () => {
  expect((await harness.run(createBlue)).code).toBe(0);
});

/** What bash itself offers for a line of the real program, with the cursor at the end of the last word. */
async function completeInBash(kubeconfig: string, ...words: readonly string[]): Promise<string[]> {
  const quoted = ["butlerctl", ...words].map((word) => `'${word}'`).join(" ");
  const script = `source <(butlerctl completion bash)
COMP_WORDS=(${quoted})
COMP_CWORD=${words.length}
$(complete -p butlerctl | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: harness.file("home"), KUBECONFIG: kubeconfig };
  const { stdout, stderr } = await run("bash", ["--norc", "-c", script], { env });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("completion in bash", () => {
  it("completes commands, options and formats", async () => {
    expect(await completeInBash(harness.kubeconfig, "clu")).toEqual(["cluster"]);
    expect(await completeInBash(harness.kubeconfig, "cluster", "sc")).toEqual(["scale"]);
    expect(await completeInBash(harness.kubeconfig, "cluster", "scale", "--work")).toEqual(["--workers"]);
    expect(await completeInBash(harness.kubeconfig, "cluster", "list", "-o", "j")).toEqual(["json"]);
  });

  it("completes names of existing objects", async () => {
    expect(await completeInBash(harness.kubeconfig, "cluster", "scale", "")).toEqual(["blue"]);
    expect(await completeInBash(harness.kubeconfig, "cluster", "get", "-n", "search", "")).toEqual([]);
    expect(await completeInBash(harness.kubeconfig, "cluster", "list", "--team", "p")).toEqual(["payments"]);
    expect(await completeInBash(harness.kubeconfig, "cluster", "list", "--environment", "")).toEqual(["dev"]);
    expect(await completeInBash(harness.kubeconfig, "cluster", "list", "-n", "sea")).toEqual(["search"]);
  });

  it("completes nothing silently when the server is unreachable", async () => {
    const unreachable = harness.file("unreachable");
    const kubeconfig = {
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
      contexts: [{ name: "far", context: { cluster: "c", user: "u" } }],
      users: [{ name: "u", user: { token: "none" } }],
      "current-context": "far",
    };
    await writeFile(unreachable, JSON.stringify(kubeconfig));
    expect(await completeInBash(unreachable, "cluster", "scale", "")).toEqual([]);
    expect(await completeInBash(harness.file("absent"), "cluster", "scale", "")).toEqual([]);
    expect(await completeInBash(unreachable, "--context", "")).toEqual(["far"]);
    expect(await completeInBash(unreachable, "cluster", "li")).toEqual(["list"]);
  });
});

describe("every command", () => {
  it("prints values with jsonpath", async () => {
    const names = await harness.run("cluster list -A -o jsonpath={.items[*].metadata.name}");
    expect(names).toMatchObject({ code: 0, stdout: "blue\n" });
    const filtered = await harness.run("cluster get blue -o jsonpath={.spec.workers.replicas}/{.metadata.namespace}");
    expect(filtered.stdout).toBe("2/payments\n");
    expect(await harness.run("cluster list -o jsonpath={.items[")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("at character 9") as string,
    });
  });

  it("prints each request with --verbose, and nothing with --quiet", async () => {
    const verbose = await harness.run("cluster list -A --verbose");
    expect(verbose.stderr).toMatch(
      /^GET \/apis\/butler\.butlerlabs\.dev\/v1alpha1\/tenantclusters\?limit=500 200 \d+ ms\n$/,
    );
    const ageless = (text: string): string => text.replaceAll(/\d+s\n/g, "\n");
    expect(ageless(verbose.stdout)).toBe(ageless((await harness.run("cluster list -A")).stdout));
    expect((await harness.run("cluster list -n search")).stderr).toContain("No clusters found");
    expect(await harness.run("cluster list -n search --quiet")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(await harness.run("cluster get absent --quiet")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('cluster "absent" not found') as string,
    });
  });

  it("shows client and server versions", async () => {
    await mkdir(harness.file("home"), { recursive: true });
    const environment = { HOME: harness.file("home") };
    const { stdout, code } = await harness.run("version", { environment });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Client: +\d+\.\d+\.\d+\nPlatform: +unknown\nKubernetes: +v1\.\d+/);
    const away = await harness.run("version", { environment, kubeconfig: harness.file("absent") });
    expect(away).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Client: .*\n$/) as string });
    expect(away.stderr).not.toBe("");
    expect(await harness.run("version --client", { kubeconfig: harness.file("absent") })).toMatchObject({ stderr: "" });
  });

  it.each([
    ["clutser list", "(Did you mean cluster?)"],
    ["cluster list --nmespace x", "(Did you mean --namespace?)"],
    ["cluster scale blue --workers many", "integer"],
  ])("%s exits with 2 and a suggestion", async (line, text) => {
    expect(await harness.run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) as string });
  });

  it("exits with 6 when the server is unreachable", async () => {
    const unreachable = harness.file("unreachable-two");
    await writeFile(
      unreachable,
      '{"clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1"}}],"users":[],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],"current-context":"c"}',
    );
    expect(await harness.run("cluster list", { kubeconfig: unreachable })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("Check that the management cluster for context c is running") as string,
    });
  });
});
