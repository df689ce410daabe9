import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureTools } from "../ensure-tools.ts";
import { engineImageNames } from "../images/image-catalog.ts";
import { goPlatform, releaseLocation, selectTools, type ToolName, toolsLock } from "../lock-file.ts";
import { silentProgress } from "../progress.ts";
import { sha256, startReleaseMirror } from "../testing/release-mirror.ts";
import { runCommand } from "./run-command.ts";
import { CacheCopy } from "./testing/cache-copy.ts";
import { exitCodes } from "./testing/command-line.ts";
import { canRunEngines, FaultBench } from "./testing/fault-bench.ts";

/** An address on which no process listens. */
const nowhere = "http://127.0.0.1:9";
const mirrors = ["ETCD", "CONTAINERD", "RUNC", "CNI_PLUGINS", "KUBERNETES", "COREDNS"].map(
  (project) => `BUTLER_MIRROR_${project}`,
);
const unreachable = Object.fromEntries(mirrors.map((mirror) => [mirror, nowhere]));

let bench: FaultBench;
let copy: CacheCopy;

/** A mirror that has the real programs of the given names; only those that are published as they are. */
async function mirrorOf(...names: readonly ToolName[]) {
  const mirror = await startReleaseMirror();
  const environment = Object.fromEntries(mirrors.map((variable) => [variable, mirror.url]));
  for (const tool of selectTools(toolsLock, names)) {
    const location = releaseLocation(tool, goPlatform(), environment) ?? expect.fail("not published");
    const content = await readFile(copy.real.pathOf(tool.name));
    mirror.put(new URL(location.url).pathname, content);
    mirror.put(new URL(location.checksumUrl).pathname, `${sha256(content)}  ${location.fileName}\n`);
  }
  return { ...mirror, environment: { ...copy.environment, ...environment } };
}

/** Removes an image from the engine and truncates the archive it would be imported from. */
async function loseImages(): Promise<void> {
  const archives = join(copy.cache.directory, "images");
  for (const file of await readdir(archives))
    if (file.endsWith(".tar")) await truncate(join(archives, file), 1_000_000);
  const { containerdSocket } = bench.engine().paths;
  const call = [copy.real.pathOf("ctr"), "--address", containerdSocket, "--namespace", "k8s.io"] as const;
  await runCommand([...call, "images", "rm", engineImageNames().coredns]);
}

const downloads = (requests: readonly string[]): string[] => requests.filter((path) => !path.includes("sha256"));
const unreachableCache = () => ({ environment: { ...copy.environment, ...unreachable } });

describe.runIf(canRunEngines)("an engine with a bad cache", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    bench = await FaultBench.create();
    copy = await CacheCopy.create(bench.home);
  });
  afterAll(() => bench?.remove());

  it("that is empty, without Go and without a download, reports this once, with remedies", async () => {
    const empty = await mkdtemp(join(bench.home, "empty-"));
    const environment = { ...process.env, ...unreachable, NO_PROXY: "*", BUTLER_ENGINE_DIR: empty, PATH: empty };
    const { code, said } = await bench.command(["up"], { environment });
    expect(code).toBe(exitCodes.unavailable);
    expect(said.match(/failed to install/g)).toHaveLength(1);
    expect(said).toMatch(/- etcd, .* and \d+ others from archive: .*127\.0\.0\.1:9/);
    expect(said).toMatch(
      /- etcd, .* and \d+ others from go: Go \S+ or newer is required to .*, but Go is not installed/,
    );
    for (const remedy of ["https://go.dev/dl/", "BUTLER_MIRROR_", "BUTLER_ENGINE_DIR"]) expect(said).toContain(remedy);
    expect(existsSync(bench.engine().paths.controlPlane.directory)).toBe(false);
  });

  it("that is incomplete is repaired: a truncated program, leftover work, a manifest that was not renamed", async () => {
    const { environment, requests } = await mirrorOf("kube-scheduler");
    const { directory } = copy.cache;
    await copy.truncate("kube-scheduler");
    await mkdir(join(directory, "work-left"));
    await writeFile(join(directory, "work-left", "kube-scheduler.download"), "half");
    await writeFile(join(directory, "manifest.json.4711"), "{");
    const { code, said } = await bench.command(["up"], { environment });
    expect([code, said]).toEqual([0, expect.stringContaining("the node is ready")]);
    expect(downloads(requests)).toEqual([expect.stringContaining("/kube-scheduler")]);
    for (const left of ["work-left", "manifest.json.4711"]) expect(existsSync(join(directory, left))).toBe(false);
    expect(await bench.kubectl("get", "nodes", "-o", "name")).toBe(`node/butler-${bench.name}`);
  });

  it("without a manifest is not trusted, and every requested tool is reinstalled", async () => {
    const other = await CacheCopy.create(bench.home);
    const mirror = await mirrorOf("kube-scheduler", "runc");
    const environment = { ...mirror.environment, BUTLER_ENGINE_DIR: other.environment["BUTLER_ENGINE_DIR"] };
    await rm(join(other.cache.directory, "manifest.json"));
    await ensureTools(["kube-scheduler", "runc"], { environment, progress: silentProgress });
    expect(downloads(mirror.requests)).toHaveLength(2);
    const tools = selectTools(toolsLock, ["kube-scheduler", "runc"]);
    expect(await other.cache.findMissing(tools, { verify: true })).toEqual([]);
  });

  it("whose program was corrupted names it, and replaces it as soon as possible", async () => {
    const { environment, requests } = await mirrorOf("kube-scheduler");
    await bench.command(["down"]);
    await copy.corrupt("kube-scheduler");
    const refused = await bench.command(["up"], unreachableCache());
    expect(refused.code).toBe(exitCodes.unavailable);
    expect(refused.said).toContain("replacing damaged programs in the cache: kube-scheduler");
    expect(refused.said).toContain("failed to install kube-scheduler");
    expect((await bench.command(["status"], unreachableCache())).printed).toContain(
      "the kube-scheduler binary is damaged or built for another platform",
    );
    expect(await bench.command(["up"], { environment })).toMatchObject({ code: 0 });
    expect(downloads(requests)).toHaveLength(1);
    expect((await bench.engine().state()).services.every(({ state }) => state === "Ready")).toBe(true);
  });

  it("whose corrupted program and images are only used by pods is detected by doctor and repaired by up --verify", async () => {
    const { environment, requests } = await mirrorOf("runc");
    await copy.corrupt("runc");
    await loseImages();
    const doctor = await bench.command(["doctor"], { environment });
    expect(doctor).toMatchObject({ code: 1, printed: expect.stringContaining("damaged programs: runc") as unknown });
    expect(doctor.printed).toContain(`butleradm local up --verify --name ${bench.name}`);
    expect(await bench.command(["up", "--verify"], { environment })).toMatchObject({ code: 0 });
    expect(downloads(requests)).toEqual([expect.stringContaining("/runc.")]);
    expect(await bench.command(["doctor"], { environment })).toMatchObject({ code: 0 });
    expect(await bench.engine().images()).toContain(engineImageNames().coredns);
  });
});
