import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { selectTools, type Tool, toolsLock } from "../lock-file.ts";
import { fakeProgram, someTools } from "../testing/fake-tool.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { checkToolVersion } from "../tool-version.ts";
import { goBuildArguments, goBuildEnvironment, goBuildSource } from "./go-build.ts";
import { demandedGoVersion, isGoAtLeast } from "./go-toolchain.ts";

describe("goBuildArguments", () => {
  it("builds all tools in one call, in order, stamped with their version", () => {
    const names = ["etcd", "kube-apiserver", "kubectl", "kube-controller-manager"];
    expect(goBuildArguments(selectTools(toolsLock, names), "/out")).toEqual([
      "build",
      "-trimpath",
      "-gcflags=all=-dwarf=false",
      "-ldflags",
      "-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3 -X k8s.io/component-base/version.gitMajor=1 " +
        "-X k8s.io/component-base/version.gitMinor=36 -X k8s.io/client-go/pkg/version.gitVersion=v1.36.3 " +
        "-X k8s.io/client-go/pkg/version.gitMajor=1 -X k8s.io/client-go/pkg/version.gitMinor=36",
      "-o",
      "/out/",
      "go.etcd.io/etcd/server/v3",
      "k8s.io/kubernetes/cmd/kube-apiserver",
      "k8s.io/kubernetes/cmd/kubectl",
      "k8s.io/kubernetes/cmd/kube-controller-manager",
    ]);
  });
});

describe("goBuildEnvironment", () => {
  it("fixes what decides the result and keeps the rest", () => {
    const host = { PATH: "/bin", GOPROXY: "https://proxy.example", GOOS: "plan9", GOARCH: "arm", GOFLAGS: "-mod=mod" };
    expect(goBuildEnvironment(host, "/work/temporary")).toEqual({
      PATH: "/bin",
      GOPROXY: "https://proxy.example",
      CGO_ENABLED: "0",
      GOGC: "off",
      GOMEMLIMIT: "3GiB",
      GOTOOLCHAIN: "local",
      GOWORK: "off",
      GOFLAGS: "-buildvcs=false -mod=readonly",
      GOTMPDIR: "/work/temporary",
    });
  });
});

describe("isGoAtLeast", () => {
  it.each([
    ["go1.26.8", "1.26.8", true],
    ["go1.26.10", "1.26.8", true],
    ["go1.27", "1.26.8", true],
    ["go1.27rc1", "1.26.8", true],
    ["go1.26", "1.26.8", false],
    ["go1.25.12", "1.26", false],
    ["devel", "1.26", false],
  ])("%s against %s is %s", (found, demanded, expected) => {
    expect(isGoAtLeast(found, demanded)).toBe(expected);
  });

  it("reads the demand from go.mod", () => {
    expect(demandedGoVersion("module x\n\ngo 1.26.8\n\ntoolchain go1.27.0\n")).toBe("1.26.8");
    expect(() => demandedGoVersion("module x\n")).toThrow("no go line");
  });
});

/** A `go` whose `build` is a given shell script; `$out` is the output directory. */
async function withGo(build: string | undefined, version = "go1.26.8") {
  const directory = await temporaryDirectory();
  const [bin, work, moduleDirectory] = [join(directory, "bin"), join(directory, "work"), join(directory, "module")];
  for (const each of [bin, work, moduleDirectory]) await mkdir(each);
  await writeFile(join(moduleDirectory, "go.mod"), "module x\n\ngo 1.26.8\n");
  if (build !== undefined) {
    const script = `#!/bin/sh\nif [ "$1" = env ]; then echo ${version}; exit; fi\nout=${join(work, "output")}\n${build}\n`;
    await writeFile(join(bin, "go"), script);
    await chmod(join(bin, "go"), 0o755);
  }
  const events: string[] = [];
  const failures: Record<string, string> = {};
  const source = goBuildSource({
    environment: { PATH: build === undefined ? bin : `${bin}:/usr/bin:/bin` },
    moduleDirectory,
  });
  const bring = (tools: readonly Tool[], signal?: AbortSignal) =>
    source.bring({
      tools,
      workDirectory: work,
      signal,
      fail: (tool, error) => {
        failures[tool.name] = String(error);
      },
      working: (tool) => events.push(`working on ${tool.name}`),
      deliver: async (tool, file) => {
        await checkToolVersion(tool, file);
        events.push(`delivered ${tool.name}: ${(await readFile(file)).length}`);
      },
    });
  return { directory, events, failures, bring };
}

describe("goBuildSource", () => {
  const program = fakeProgram().replaceAll("\n", "\\n");
  const write = (name: string): string =>
    `printf '${program}' > $out/${name}.tmp; chmod +x $out/${name}.tmp; mv $out/${name}.tmp $out/${name}`;

  it("delivers each program while the next is being built", async () => {
    const { directory, events, failures, bring } = await withGo(
      `${write("one")}\nuntil [ -e $out/../../seen ]; do sleep 0.05; done\n${write("two")}`,
    );
    const building = bring(someTools("one", "two"));
    await expect.poll(() => events).toContain(`delivered one: ${fakeProgram().length}`);
    await writeFile(join(directory, "seen"), "");
    await building;
    expect(failures).toEqual({});
    expect(events).toEqual([
      "working on one",
      `delivered one: ${fakeProgram().length}`,
      "working on two",
      `delivered two: ${fakeProgram().length}`,
    ]);
  });

  it("renames what Go names after the package", async () => {
    const [etcd] = selectTools(toolsLock, ["etcd"]);
    const script = `printf '#!/bin/sh\\necho 3.7.3\\n' > $out/server; chmod +x $out/server`;
    const { events, bring } = await withGo(script);
    await bring(etcd ? [etcd] : []);
    expect(events[1]).toMatch(/^delivered etcd/);
  });

  it("shows the compiler's last words", async () => {
    const lines = "i=0; while [ $i -lt 100 ]; do echo line $i >&2; i=$((i+1)); done; exit 1";
    const { failures, bring } = await withGo(`${write("one")}\n${lines}`);
    await bring(someTools("one", "two"));
    expect(Object.keys(failures)).toEqual(["two"]);
    expect(failures["two"]).toMatch(/line 80\n[^]*line 99$/);
    expect(failures["two"]).not.toContain("line 79\n");
  });

  it("does not deliver a program that does not run", async () => {
    const { events, failures, bring } = await withGo("printf half > $out/one; chmod +x $out/one");
    await bring(someTools("one"));
    expect(Object.keys(failures)).toEqual(["one"]);
    expect(events).toEqual(["working on one"]);
  });

  it("ends the compiler when it is told to stop", async () => {
    const { events, bring } = await withGo("exec sleep 600");
    const controller = new AbortController();
    const building = bring(someTools("one"), controller.signal);
    await expect.poll(() => events).toEqual(["working on one"]);
    controller.abort(new Error("enough"));
    await expect(building).rejects.toThrow("enough");
  });

  it("says what to install when Go is missing or too old", async () => {
    const missing = await withGo(undefined);
    await expect(missing.bring(someTools("one"))).rejects.toMatchObject({
      message: "go 1.26.8 or newer is needed to build the engine, and there is none",
      hint: expect.stringContaining("https://go.dev/dl/") as unknown,
    });
    const old = await withGo("exit 1", "go1.22.1");
    await expect(old.bring(someTools("one"))).rejects.toMatchObject({
      message: "go 1.26.8 or newer is needed to build the engine, and go1.22.1 is installed",
      hint: expect.stringContaining("BUTLER_MIRROR_KUBERNETES") as unknown,
    });
  });
});
