import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { selectTools, type Tool, toolsLock } from "../lock-file.ts";
import { fakeProgram, someTools } from "../testing/fake-tool.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { checkToolVersion } from "../tool-version.ts";
import { goBuildSource } from "./go-build.ts";

/** A `go` whose `build` is a given shell script; `$out` is the output directory and `$PWD` the module's. */
async function withGo(build: string | undefined, version = "go1.26.8") {
  const directory = await temporaryDirectory();
  const [bin, work, engineDirectory] = [join(directory, "bin"), join(directory, "work"), join(directory, "engine")];
  for (const each of [bin, work, engineDirectory, join(engineDirectory, "native")]) await mkdir(each);
  for (const each of ["go.mod", "native/go.mod"])
    await writeFile(join(engineDirectory, each), "module x\n\ngo 1.26.8\n");
  const install = async (name: string, script: string): Promise<void> => {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  };
  if (build !== undefined) {
    const findOutput = 'for word in "$@"; do [ "$before" = -o ] && out=$word; before=$word; done';
    await install("go", `if [ "$1" = env ]; then echo ${version}; exit; fi\n${findOutput}\n${build}`);
  }
  const events: string[] = [];
  const failures: Record<string, string> = {};
  const source = goBuildSource({
    environment: { PATH: build === undefined ? bin : `${bin}:/usr/bin:/bin`, SCRATCH: directory },
    engineDirectory,
  });
  const bring = (tools: readonly Tool[], signal?: AbortSignal) =>
    source.bring({
      tools,
      workDirectory: work,
      signal,
      fail: (tool, error) => {
        failures[tool.name] = String(error);
      },
      note: (text) => events.push(text),
      working: (tool) => events.push(`working on ${tool.name}`),
      deliver: async (tool, file) => {
        await checkToolVersion(tool, file);
        events.push(`delivered ${tool.name}: ${(await readFile(file)).length}`);
      },
    });
  return { directory, events, failures, bring, install };
}

/** Tools of a second module whose programs contain C. */
function nativeTools(...names: readonly string[]): Tool[] {
  const cgo = { tags: [], linkerFlags: "-extldflags -static", libraries: { libthing: "libthing-dev" } };
  return someTools(...names).map((tool) => ({ ...tool, module: { directory: "native", cgo } }));
}

describe("goBuildSource", () => {
  const program = fakeProgram().replaceAll("\n", "\\n");
  const write = (name: string): string =>
    `printf '${program}' > $out/${name}.tmp; chmod +x $out/${name}.tmp; mv $out/${name}.tmp $out/${name}`;

  it("delivers each program while the next is being built", async () => {
    const { directory, events, failures, bring } = await withGo(
      `${write("one")}\nuntil [ -e $SCRATCH/seen ]; do sleep 0.05; done\n${write("two")}`,
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

  it("renames files that Go names after the package", async () => {
    const [etcd] = selectTools(toolsLock, ["etcd"]);
    const script = `printf '#!/bin/sh\\necho 3.7.3\\n' > $out/server; chmod +x $out/server`;
    const { events, bring } = await withGo(script);
    await bring(etcd ? [etcd] : []);
    expect(events[1]).toMatch(/^delivered etcd/);
  });

  it("includes the compiler's last lines of output", async () => {
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

  it("stops the compiler when it is aborted", async () => {
    const { events, bring } = await withGo("exec sleep 600");
    const controller = new AbortController();
    const building = bring(someTools("one"), controller.signal);
    await expect.poll(() => events).toEqual(["working on one"]);
    controller.abort(new Error("enough"));
    await expect(building).rejects.toThrow("enough");
  });

  it("builds packages with the same output file name in separate calls", async () => {
    const script = `echo "$@" >> $SCRATCH/calls\n${write("one")}`;
    const { directory, events, failures, bring } = await withGo(script);
    const [one, other] = someTools("one", "other");
    await bring(one && other ? [one, { ...other, package: "example.com/another/one" }] : []);
    expect(failures).toEqual({});
    expect(events.filter((event) => event.startsWith("delivered"))).toHaveLength(2);
    const calls = (await readFile(join(directory, "calls"), "utf8")).trim().split("\n");
    expect(calls.map((call) => call.split(" ").at(-1))).toEqual(["example.com/cmd/one", "example.com/another/one"]);
  });

  it("builds a second module with cgo in parallel", async () => {
    const waitFor = (file: string): string => `until [ -e $SCRATCH/${file} ]; do sleep 0.05; done`;
    const { events, failures, bring, install } = await withGo(
      `case $PWD in
*/native) [ $CGO_ENABLED = 1 ] || exit 1; ${write("two")}; touch $SCRATCH/second;;
*) [ $CGO_ENABLED = 0 ] || exit 1; ${waitFor("second")}; ${write("one")};;
esac`,
    );
    await install("pkg-config", "exit 0");
    await install("gcc", "exit 0");
    await bring([...someTools("one"), ...nativeTools("two")]);
    expect(failures).toEqual({});
    expect(events.slice(-2)).toEqual([
      `delivered two: ${fakeProgram().length}`,
      `delivered one: ${fakeProgram().length}`,
    ]);
  });

  it("builds the rest when the C compiler is missing for some tools", async () => {
    const { events, failures, bring, install } = await withGo(write("one"));
    await install("gcc", "exit 1");
    await install("apt-get", "exit 1");
    await bring([...someTools("one"), ...nativeTools("two")]);
    expect(events).toContain(`delivered one: ${fakeProgram().length}`);
    expect(failures["two"]).toContain("gcc not found");
  });

  it("reports what to install when Go is missing or too old", async () => {
    const missing = await withGo(undefined);
    await expect(missing.bring(someTools("one"))).rejects.toMatchObject({
      message: "Go 1.26.8 or newer is required to build the engine, but Go is not installed",
      hint: expect.stringContaining("https://go.dev/dl/") as unknown,
    });
    const old = await withGo("exit 1", "go1.22.1");
    await expect(old.bring(someTools("one"))).rejects.toMatchObject({
      message: "Go 1.26.8 or newer is required to build the engine, but go1.22.1 is installed",
      hint: expect.stringContaining("BUTLER_MIRROR_") as unknown,
    });
  });
});
