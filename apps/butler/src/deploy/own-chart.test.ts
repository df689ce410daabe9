import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unpackChart } from "./own-chart.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-own-chart-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const files = { "Chart.yaml": "name: butler\n", "files/crds/one.yaml": "kind: One\n" };

describe("unpackChart", () => {
  it("writes every file, once per content", async () => {
    const path = await unpackChart(files, join(folder, "charts"));
    expect(await readFile(join(path, "files/crds/one.yaml"), "utf8")).toBe("kind: One\n");
    await writeFile(join(path, "mark"), "");
    expect(await unpackChart({ ...files }, join(folder, "charts"))).toBe(path);
    expect(await readdir(path)).toContain("mark");
    expect(await unpackChart({ ...files, "Chart.yaml": "name: other\n" }, join(folder, "charts"))).not.toBe(path);
  });

  it("leaves no partial files when several processes unpack concurrently", async () => {
    const paths = await Promise.all(Array.from({ length: 8 }, () => unpackChart(files, folder)));
    expect(new Set(paths).size).toBe(1);
    expect(await readdir(folder)).toHaveLength(1);
  });
});
