import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureTools } from "@butler/engine";
import { Unavailable } from "@butler/std";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Helm } from "./helm.ts";
import { type HelmExit, runHelmProcess } from "./helm-process.ts";
import { isOutOfMemory, limitedCommand, memoryLimit } from "./memory-limit.ts";

/** A template whose result doubles forty times. */
const bomb = `{{- $x := "0123456789" }}{{- range $i := until 40 }}{{- $x = print $x $x }}{{- end }}a: {{ $x }}\n`;

let folder: string;
let helm: Helm;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-memory-limit-"));
  const { helm: program } = await ensureTools(["helm"]);
  helm = new Helm({ program, folder, memoryLimitMiB: 192, mostMemoryMiB: 320 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function rendered(template: string): Promise<unknown> {
  const chart = await mkdtemp(join(folder, "chart-"));
  await mkdir(join(chart, "templates"));
  await writeFile(join(chart, "Chart.yaml"), "apiVersion: v2\nname: bomb\nversion: 1.0.0\n");
  await writeFile(join(chart, "templates/a.yaml"), template);
  const request = { release: "bomb", namespace: "shop", createNamespace: false, chart, values: {} };
  return helm.template(request).catch((error: unknown) => error);
}

describe("the memory of helm", () => {
  it("hole 3: is limited, and the error says so", async () => {
    const error = await rendered(bomb);
    expect(error).toMatchObject({
      reason: "OutOfMemory",
      isRetryable: false,
      message: "rendering the release bomb in shop failed because helm needed too much memory: its limit is 320 MiB",
    });
  });

  it("is enough for a large chart", async () => {
    const map =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "map-{{ $i }}"}\ndata: {text: "{{ repeat 1000 "some text " }}"}';
    const output = await rendered(`{{- range $i := until 400 }}\n---\n${map}\n{{- end }}\n`);
    expect(String(output).length).toBeGreaterThan(4_000_000);
  });

  it.runIf(process.platform === "linux")("hole 3: is limited without a program that sets the limit, too", async () => {
    const script = "const all = []; setInterval(() => all.push(Buffer.alloc(8 << 20, 1)), 1)";
    const exit = await run(script, { mebibytes: 64, program: undefined });
    expect(exit).toMatchObject({ signal: "SIGKILL", endedBecause: "too large" });
  });

  it("is reported as out of memory only when it is", () => {
    const lines = [
      "fatal error: out of memory allocating heap arena metadata",
      "runtime: out of memory: cannot allocate 4194304-byte block (8388608 in use)",
      "fatal error: runtime: cannot allocate memory",
      "Error: fork/exec /x: cannot allocate memory",
    ];
    expect(lines.map(isOutOfMemory)).toEqual([true, true, true, true]);
    expect(isOutOfMemory("Error: container web ran out of memory")).toBe(false);
  });

  it("leaves the command as it is without a limit", () => {
    const command = { program: "/helm", args: ["list"] };
    expect(limitedCommand(command, undefined)).toEqual(command);
    expect(limitedCommand(command, { mebibytes: 1, program: "/limit" })).toEqual({
      program: "/limit",
      args: ["--data=1048576", "/helm", "list"],
    });
  });

  it("reports a missing helm as one", async () => {
    await expect(run("", memoryLimit(320), "/nowhere/helm")).rejects.toThrow(Unavailable);
  });
});

function run(
  script: string,
  memory: Parameters<typeof limitedCommand>[1],
  program = process.execPath,
): Promise<HelmExit> {
  return runHelmProcess({
    program,
    args: ["--eval", script],
    environment: {},
    folder,
    memory,
    signal: undefined,
    limitMs: 60_000,
    graceMs: 60_000,
    isOutputKept: false,
    onStart: () => undefined,
    onLine: () => undefined,
  });
}
