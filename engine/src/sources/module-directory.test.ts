import { InvalidInput, NotFound } from "@butler/std";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { moduleDirectory } from "./module-directory.ts";

/** Looks up a module with a shell script in place of `go`, or without `go`. */
async function ask(module: string, script?: string): Promise<string> {
  const directory = await temporaryDirectory();
  const bin = join(directory, "bin");
  await mkdir(bin);
  await writeFile(join(directory, "go.mod"), "module x\n\ngo 1.26.8\n");
  if (script !== undefined) {
    await writeFile(join(bin, "go"), `#!/bin/sh\nif [ "$1" = env ]; then echo go1.26.8; exit; fi\n${script}\n`);
    await chmod(join(bin, "go"), 0o755);
  }
  const environment = { PATH: script === undefined ? bin : `${bin}:/usr/bin:/bin`, SCRATCH: directory };
  return moduleDirectory(module, { environment, directory });
}

const module = "sigs.k8s.io/cluster-api";
const listsOnceDownloaded = `case "$1 $2" in
"list -m") [ -e $SCRATCH/there ] && echo /modules/$5; exit 0;;
"mod download") [ "$3" = ${module} ] && touch $SCRATCH/there;;
esac`;

describe("moduleDirectory", () => {
  it("asks Go for the version in the module graph, without changing it", async () => {
    const script =
      'case "$GOFLAGS" in *-mod=readonly*) [ "$1 $2 $3 $4" = "list -m -f {{.Dir}}" ] && echo /modules/$5;; esac';
    expect(await ask(module, script)).toBe(`/modules/${module}`);
  });

  it("downloads a missing module", async () => {
    expect(await ask(module, listsOnceDownloaded)).toBe(`/modules/${module}`);
  });

  it("reports what is required when Go is missing", async () => {
    await expect(ask(module)).rejects.toMatchObject({
      message: `Go 1.26.8 or newer is required to read ${module}, but Go is not installed`,
      hint: expect.stringContaining("https://go.dev/dl/") as unknown,
    });
  });

  it("rejects a module that the engine does not depend on", async () => {
    const asking = ask(module, 'echo "go: module not a known dependency" >&2; exit 1');
    await expect(asking).rejects.toBeInstanceOf(NotFound);
    await expect(asking).rejects.toThrow("not a known dependency");
  });

  it("includes Go's output when a download fails", async () => {
    const script = '[ "$1" = list ] || { echo "dial tcp: no route to host" >&2; exit 1; }';
    await expect(ask(module, script)).rejects.toThrow(
      `failed to download the Go module ${module}: dial tcp: no route to host`,
    );
  });

  it.each(["-x", "", "a b", "module@v1"])("rejects %o as a module path", async (path) => {
    await expect(ask(path, "exit 1")).rejects.toBeInstanceOf(InvalidInput);
  });
});
