import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { archiveOf, smallChart } from "../testing/archives.ts";
import { startChartRepository } from "../testing/chart-repository.ts";
import { startOciRegistry } from "../testing/oci-registry.ts";
import { packChart } from "../testing/pack-chart.ts";
import { Cleanups, createStore } from "../testing/store-bench.ts";

const { signal } = new AbortController();
const execute = promisify(execFile);
const cleanups = new Cleanups();
let home: string;
let program: string;

const helm = async (...args: string[]): Promise<string> => {
  const { stdout, stderr } = await execute(program, args, { env: { HOME: home } });
  return stdout + stderr;
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "butler-interoperability-"));
  program = (await ensureTools(["helm"])).helm;
});
afterAll(() => rm(home, { recursive: true, force: true }));
afterEach(() => cleanups.run());

describe("with the real helm", () => {
  it.each([["--json=false"], ["--json"]])(
    "an index that it has written (%s) is read, and what is fetched renders",
    async (flag) => {
      const folder = join(home, `served${flag}`);
      await mkdir(folder);
      for (const version of ["0.1.0", "0.2.0", "0.3.0-rc.1"])
        await packChart("web", { folder, version, appVersion: "1.10" });
      const umbrella = await packChart("umbrella", { folder });
      await helm("repo", "index", folder, flag);
      const server = await startChartRepository(folder);
      cleanups.add(() => server.stop());
      const store = await createStore(cleanups);
      const web = await store.fetch({ repository: server.url, name: "web", version: undefined }, signal);
      expect(web).toMatchObject({ name: "web", version: "0.2.0", appVersion: "1.10" });
      expect(await readFile(web.path)).toEqual(await readFile(join(folder, "web-0.2.0.tgz")));
      expect(await helm("template", "shop", web.path)).toContain("kind: Service");
      const whole = await store.fetch({ repository: server.url, name: "umbrella", version: undefined }, signal);
      expect(await readFile(whole.path)).toEqual(await readFile(umbrella));
    },
  );

  it.each([
    ["without credentials", undefined],
    ["with a password", "basic"],
    ["with a token", "bearer"],
  ] as const)("what it pushes to a registry %s is fetched and renders", async (_what, auth) => {
    const credentials = auth === undefined ? undefined : { username: "robot", password: "hunter2" };
    const registry = await startOciRegistry({ credentials, auth });
    cleanups.add(() => registry.stop());
    const folder = await mkdtemp(join(home, "packed-"));
    const login = credentials === undefined ? [] : ["--username=robot", "--password=hunter2"];
    for (const version of ["0.1.0", "0.2.0+build.3"]) {
      const archive = await packChart("web", { folder, version });
      await helm("push", archive, `oci://${registry.host}/team/charts`, "--plain-http", ...login);
    }
    const source = { repository: `oci://${registry.host}/team/charts`, name: "web", credentials };
    const store = await createStore(cleanups);
    const newest = await store.fetch({ ...source, version: undefined }, signal);
    expect(newest).toMatchObject({ name: "web", version: "0.2.0+build.3" });
    expect(await helm("template", "shop", newest.path)).toContain("kind: Service");
    const older = await store.fetch({ ...source, version: "0.1.0" }, signal);
    expect(await readFile(older.path)).toEqual(await readFile(join(folder, "web-0.1.0.tgz")));
    // What helm pulls is what we have fetched.
    const pulled = ["pull", `oci://${registry.host}/team/charts/web`, "--version=0.1.0", "--plain-http", `-d=${home}`];
    await helm(...pulled, ...login);
    expect(await readFile(join(home, "web-0.1.0.tgz"))).toEqual(await readFile(older.path));
  });

  it("helm reads a link in an archive as an empty file, so links are rejected", async () => {
    const path = join(home, "linked.tgz");
    const link = { name: "web/templates/link.yaml", type: "2", target: "config.yaml" };
    await writeFile(path, archiveOf([...smallChart(), link]));
    expect((await helm("template", "shop", path)).match(/kind: ConfigMap/g)).toHaveLength(1);
  });
});
