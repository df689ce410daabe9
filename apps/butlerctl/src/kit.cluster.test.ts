import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { createBlue, useDesk } from "./testing/desk.ts";

const run = promisify(execFile);
const bin = fileURLToPath(new URL("../../../bin", import.meta.url));
const desk = useDesk("butlerctl-kit");

beforeAll(async () => {
  expect((await desk.run(createBlue)).code).toBe(0);
});

/** What bash itself offers for a line of the real program, with the cursor at the end of the last word. */
async function completeInBash(kubeconfig: string, ...words: readonly string[]): Promise<string[]> {
  const quoted = ["butlerctl", ...words].map((word) => `'${word}'`).join(" ");
  const script = `source <(butlerctl completion bash)
COMP_WORDS=(${quoted})
COMP_CWORD=${words.length}
$(complete -p butlerctl | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: desk.file("home"), KUBECONFIG: kubeconfig };
  const { stdout, stderr } = await run("bash", ["--norc", "-c", script], { env });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("completion in bash", () => {
  it("offers commands, options and forms", async () => {
    expect(await completeInBash(desk.kubeconfig, "clu")).toEqual(["cluster"]);
    expect(await completeInBash(desk.kubeconfig, "cluster", "sc")).toEqual(["scale"]);
    expect(await completeInBash(desk.kubeconfig, "cluster", "scale", "--work")).toEqual(["--workers"]);
    expect(await completeInBash(desk.kubeconfig, "cluster", "list", "-o", "j")).toEqual(["json"]);
  });

  it("offers names of what there is", async () => {
    expect(await completeInBash(desk.kubeconfig, "cluster", "scale", "")).toEqual(["blue"]);
    expect(await completeInBash(desk.kubeconfig, "cluster", "get", "-n", "search", "")).toEqual([]);
    expect(await completeInBash(desk.kubeconfig, "cluster", "list", "--team", "p")).toEqual(["payments"]);
    expect(await completeInBash(desk.kubeconfig, "cluster", "list", "--environment", "")).toEqual(["dev"]);
    expect(await completeInBash(desk.kubeconfig, "cluster", "list", "-n", "sea")).toEqual(["search"]);
  });

  it("offers nothing, and says nothing, where nobody answers", async () => {
    const nobody = desk.file("nobody");
    const kubeconfig = {
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
      contexts: [{ name: "far", context: { cluster: "c", user: "u" } }],
      users: [{ name: "u", user: { token: "none" } }],
      "current-context": "far",
    };
    await writeFile(nobody, JSON.stringify(kubeconfig));
    expect(await completeInBash(nobody, "cluster", "scale", "")).toEqual([]);
    expect(await completeInBash(desk.file("absent"), "cluster", "scale", "")).toEqual([]);
    expect(await completeInBash(nobody, "--context", "")).toEqual(["far"]);
    expect(await completeInBash(nobody, "cluster", "li")).toEqual(["list"]);
  });
});

describe("what every command has", () => {
  it("takes values out by a template", async () => {
    const names = await desk.run("cluster list -A -o jsonpath={.items[*].metadata.name}");
    expect(names).toMatchObject({ code: 0, stdout: "blue\n" });
    const filtered = await desk.run("cluster get blue -o jsonpath={.spec.workers.replicas}/{.metadata.namespace}");
    expect(filtered.stdout).toBe("2/payments\n");
    expect(await desk.run("cluster list -o jsonpath={.items[")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("at character 9") as string,
    });
  });

  it("tells each request when it is asked to, and nothing when it is asked for quiet", async () => {
    const told = await desk.run("cluster list -A --verbose");
    expect(told.stderr).toMatch(
      /^GET \/apis\/butler\.butlerlabs\.dev\/v1alpha1\/tenantclusters\?limit=500 200 \d+ ms\n$/,
    );
    const ageless = (text: string): string => text.replaceAll(/\d+s\n/g, "\n");
    expect(ageless(told.stdout)).toBe(ageless((await desk.run("cluster list -A")).stdout));
    expect((await desk.run("cluster list -n search")).stderr).toContain("There are no clusters");
    expect(await desk.run("cluster list -n search --quiet")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(await desk.run("cluster get absent --quiet")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there is no cluster "absent"') as string,
    });
  });

  it("shows the versions of what answers", async () => {
    await mkdir(desk.file("home"), { recursive: true });
    const environment = { HOME: desk.file("home") };
    const { stdout, code } = await desk.run("version", { environment });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Client: +\d+\.\d+\.\d+\nPlatform: +not known\nKubernetes: +v1\.\d+/);
    const away = await desk.run("version", { environment, kubeconfig: desk.file("absent") });
    expect(away).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Client: .*\n$/) as string });
    expect(away.stderr).not.toBe("");
    expect(await desk.run("version --client", { kubeconfig: desk.file("absent") })).toMatchObject({ stderr: "" });
  });

  it.each([
    ["clutser list", "(Did you mean cluster?)"],
    ["cluster list --nmespace x", "(Did you mean --namespace?)"],
    ["cluster scale blue --workers many", "whole number"],
  ])("%s ends with 2 and says what is meant", async (line, text) => {
    expect(await desk.run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) as string });
  });

  it("ends with 6 where nobody answers", async () => {
    const nobody = desk.file("nobody-there");
    await writeFile(
      nobody,
      '{"clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1"}}],"users":[],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],"current-context":"c"}',
    );
    expect(await desk.run("cluster list", { kubeconfig: nobody })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("Is the management cluster of the context c there") as string,
    });
  });
});
