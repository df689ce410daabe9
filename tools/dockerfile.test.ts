import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ImageDescription, writeImageArchive } from "@butler/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configLines } from "./dockerfile.ts";
import { dockerImages } from "./image-files.ts";
import { repositoryRoot } from "./steps.ts";

const run = promisify(execFile);

interface Instruction {
  readonly word: string;
  readonly text: string;
}

/** A stage of a Dockerfile: its base image, and its instructions. */
interface Stage {
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** Parses a Dockerfile like Docker: instructions before the first FROM apply to all stages. */
function parseDockerfile(text: string): { args: Record<string, string>; stages: Record<string, Stage> } {
  const args: Record<string, string> = {};
  const stages: Record<string, Stage> = {};
  let current: Instruction[] | undefined;
  for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
    const [, word = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? expect.fail(`not an instruction: ${line}`);
    const [, from = "", name = ""] = /^(\S+) AS (\S+)$/.exec(rest) ?? [];
    if (word === "FROM") stages[name] = { from, instructions: (current = []) };
    else if (current !== undefined) current.push({ word, text: rest });
    else args[rest.replace(/=.*/, "")] = rest.replace(/^[^=]*=/, "");
  }
  return { args, stages };
}

/** The configuration that Docker would write for a stage, as an image configuration. */
function configOf({ instructions }: Stage): Record<string, unknown> {
  const texts = (word: string): string[] => instructions.flatMap((each) => (each.word === word ? [each.text] : []));
  const unquoted = (text: string): string =>
    text.replace(/"((?:\\.|[^"\\])*)"/g, (_all, inner: string) => inner.replace(/\\(.)/g, "$1"));
  const [entrypoint] = texts("ENTRYPOINT");
  const ports = texts("EXPOSE");
  return {
    Entrypoint: entrypoint === undefined ? undefined : (JSON.parse(entrypoint) as string[]),
    Env: texts("ENV").map(unquoted),
    User: texts("USER")[0],
    WorkingDir: texts("WORKDIR")[0],
    StopSignal: texts("STOPSIGNAL")[0],
    ...(ports.length === 0 ? {} : { ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])) }),
  };
}

const images = await dockerImages();

let folder: string;
let text: string;
let dockerfile: ReturnType<typeof parseDockerfile>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-dockerfile-"));
  text = await readFile(join(repositoryRoot, "deploy/images/Dockerfile"), "utf8");
  dockerfile = parseDockerfile(text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const stage = (name: string): Stage => dockerfile.stages[name] ?? expect.fail(`no stage ${name}`);

/** The configuration in the archive that the engine builds of an image. */
async function writtenConfig(image: ImageDescription): Promise<unknown> {
  const output = join(folder, "image.tar");
  const { configDigest } = await writeImageArchive({ ...image, architecture: "amd64", output });
  const { stdout } = await run("tar", [
    "--extract",
    "--to-stdout",
    "--file",
    output,
    `blobs/${configDigest.replace(":", "/")}`,
  ]);
  return (JSON.parse(stdout) as { config: unknown }).config;
}

describe("deploy/images/Dockerfile", () => {
  it.each(images)("starts $target like the engine's own image", async ({ target, description }) => {
    const written = await writtenConfig(description);
    expect(JSON.parse(JSON.stringify(configOf(stage(target))))).toEqual(written);
  });

  it("uses the versions that are pinned elsewhere", async () => {
    const installed = JSON.parse(await readFile(join(repositoryRoot, "node_modules/node/package.json"), "utf8")) as {
      version: string;
    };
    expect(dockerfile.args["NODE_VERSION"]).toBe(installed.version);
    const lock = JSON.parse(await readFile(join(repositoryRoot, "engine/tools.lock.json"), "utf8")) as {
      tools: Record<string, { version: string }>;
    };
    expect(text).toContain(
      `--target butler-node --tag ghcr.io/butlerdotdev/butler-node:${lock.tools["kubelet"]?.version} .`,
    );
  });

  it("copies only existing files, and ignores none of them", async () => {
    const copied = stage("sources").instructions.flatMap(({ word, text: words }) =>
      word === "COPY" ? words.split(" ").slice(0, -1) : [],
    );
    for (const path of copied) expect(existsSync(join(repositoryRoot, path)), path).toBe(true);
    const { workspaces } = JSON.parse(await readFile(join(repositoryRoot, "package.json"), "utf8")) as {
      workspaces: string[];
    };
    for (const path of workspaces) expect(copied).toContain(path.replace(/\/.*/, ""));
    const ignored = await readFile(join(repositoryRoot, "deploy/images/Dockerfile.dockerignore"), "utf8");
    for (const path of copied) expect(ignored.split("\n")).not.toContain(path);
  });

  it.each(images)("copies every layer of $target from the stage that built it", ({ target, description }) => {
    const copies = stage(target).instructions.filter(({ word }) => word === "COPY");
    expect(copies.map((copy) => copy.text)).toEqual(
      description.layers.map((_layer, at) => `--from=${target}-files /out/${at}/ /`),
    );
    expect(stage(target).from).toBe("scratch");
    expect(stage(`${target}-files`).instructions).toEqual([
      { word: "RUN", text: expect.stringMatching(` node tools/run.mjs image ${target} --layers /out$`) },
    ]);
  });

  it("builds the layers with a command that works", async () => {
    const out = join(folder, "out");
    await run(process.execPath, [join(repositoryRoot, "tools/image.ts"), "butler", "--layers", out]);
    expect((await readdir(out)).sort()).toEqual(["0", "1"]);
    for (const path of ["0/usr/local/bin/node", "0/usr/local/bin/helm", "0/etc/passwd", "1/app/main.js"])
      expect(existsSync(join(out, path)), path).toBe(true);
  });
});

describe("configLines", () => {
  it("renders every setting of an image configuration", () => {
    expect(
      configLines({
        entrypoint: ["/a", "b c"],
        cmd: ["d"],
        env: { A: 'with "quotes" and $dollars' },
        labels: { "org.example/x": "y" },
        exposedPorts: ["53/udp"],
        user: "1:2",
        workingDir: "/w",
        stopSignal: "SIGINT",
      }),
    ).toEqual([
      'ENV A="with \\"quotes\\" and \\$dollars"',
      'LABEL "org.example/x"="y"',
      "EXPOSE 53/udp",
      "USER 1:2",
      "WORKDIR /w",
      "STOPSIGNAL SIGINT",
      'ENTRYPOINT ["/a","b c"]',
      'CMD ["d"]',
    ]);
  });
});
