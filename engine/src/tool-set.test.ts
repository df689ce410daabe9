import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { selectTools } from "./lock-file.ts";
import { earlierKubernetes, engineToolSet } from "./tool-set.ts";

const minorOf = (version: string): number => Number(version.split(".")[1]);

describe("the earlier Kubernetes", () => {
  it("is one minor version older than the engine's", () => {
    const [now] = selectTools(engineToolSet.lock, ["kube-apiserver"]);
    const [earlier] = selectTools(earlierKubernetes.lock, ["kube-apiserver"]);
    expect(minorOf(earlier?.version ?? "")).toBe(minorOf(now?.version ?? "") - 1);
  });

  it("uses the same version in the lock file, its stamps and the Go module", async () => {
    const tools = selectTools(earlierKubernetes.lock, Object.keys(earlierKubernetes.lock.tools));
    const [version = ""] = new Set(tools.map((tool) => tool.version));
    expect(tools.every((tool) => tool.version === version)).toBe(true);
    const stamps = Object.values(tools[0]?.project.linkValues ?? {});
    expect(stamps.filter((stamp) => stamp.startsWith("v"))).toEqual([version, version]);
    const goMod = await readFile(join(earlierKubernetes.directory, "go.mod"), "utf8");
    expect(goMod).toContain(`k8s.io/kubernetes ${version}`);
    for (const tool of tools) expect(goMod).toContain(`\t${tool.package}\n`);
  });
});
