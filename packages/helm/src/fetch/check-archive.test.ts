import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { shortOrLong } from "@butler/testkit/soak";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ArchiveEntry, archiveOf, extendedHeader, smallChart, tarOf } from "../testing/archives.ts";
import type { ChartFacts } from "./chart-metadata.ts";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { checkArchive } from "./check-archive.ts";
import { defaultFetchLimits } from "./limits.ts";

const { signal } = new AbortController();
const expected = { name: "web", version: "1.0.0", host: "charts.example.com" };
const chart = smallChart();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-archives-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function check(bytes: Buffer, limits = {}): Promise<ChartFacts> {
  const path = join(folder, "chart.tgz");
  await writeFile(path, bytes);
  return checkArchive(path, expected, { limits: { ...defaultFetchLimits, ...limits }, signal });
}

const chartYaml = (content: string): Buffer => archiveOf([{ name: "web/Chart.yaml", content }]);
const base = "apiVersion: v2\nname: web\nversion: 1.0.0\n";

describe("an archive", () => {
  it("is read for the metadata of its chart", async () => {
    const more = 'appVersion: 1.10\nkubeVersion: ">=1.30.0-0"\ntype: application\n';
    expect(await check(archiveOf(smallChart({ more })))).toEqual({
      name: "web",
      version: "1.0.0",
      appVersion: "1.10",
      kubeVersion: ">=1.30.0-0",
    });
  });

  const deep = `web/${"a-long-name/".repeat(15)}file.yaml`;
  it.each<[string, Buffer]>([
    ["with folders of their own", archiveOf([{ name: "web/", type: "5" }, ...chart])],
    [
      "with a long name after POSIX",
      archiveOf([...chart, extendedHeader("path", deep), { name: "cut", content: "x" }]),
    ],
    [
      "with a long name after GNU",
      archiveOf([...chart, { name: "L", type: "L", content: `${deep}\0` }, { name: "cut" }]),
    ],
    ["with a comment of Git's", archiveOf([{ ...extendedHeader("comment", "abc"), type: "g" }, ...chart])],
    ["with times after POSIX", archiveOf([extendedHeader("mtime", "1.5"), ...chart])],
    ["with charts inside", archiveOf([...chart, { name: "web/charts/part/Chart.yaml", content: "name: part\n" }])],
    ["with dots in a name", archiveOf([...chart, { name: "web/files/..data.yaml", content: "x" }])],
    ["whose version has a v before it", chartYaml("apiVersion: v1\nname: web\nversion: v1.0.0\n")],
    ["whose Chart.yaml is from Windows", chartYaml(base.replaceAll("\n", "\r\n"))],
    ["whose Chart.yaml is JSON", chartYaml(JSON.stringify({ apiVersion: "v2", name: "web", version: "1.0.0" }))],
    [
      "whose Chart.yaml has much else in it",
      chartYaml(`${base}annotations:\n  a: |\n${"    name: x\n".repeat(50_000)}`),
    ],
    [
      "in two packed parts",
      Buffer.concat([gzipSync(tarOf(chart).subarray(0, 700)), gzipSync(tarOf(chart).subarray(700))]),
    ],
  ])("is accepted %s", async (_what, bytes) => expect(await check(bytes)).toMatchObject({ name: "web" }));

  const plus = (entry: ArchiveEntry): Buffer => archiveOf([...chart, entry]);
  it.each<[string, Buffer, RegExp]>([
    ["nothing", Buffer.alloc(0), /gzip/],
    ["not packed", tarOf(chart), /gzip/],
    ["a page", Buffer.from("<!doctype html>"), /gzip/],
    ["packed but no archive", gzipSync("password: hunter2".repeat(100)), /not a tar archive|has an unreadable header/],
    ["cut off", archiveOf(chart).subarray(0, 200), /gzip|ends/],
    ["cut off inside", gzipSync(tarOf(chart).subarray(0, 1100)), /ends unexpectedly/],
    ["one with an absolute path", plus({ name: "/etc/passwd" }), /absolute/],
    ["one with a path of Windows", plus({ name: "C:/windows" }), /absolute/],
    ["one with a backslash", plus({ name: "web\\..\\x" }), /backslash/],
    ["one that climbs", plus({ name: "web/../../x" }), /outside/],
    ["one that climbs at first", plus({ name: "../x" }), /outside/],
    [
      "one that climbs in a long name",
      archiveOf([...chart, extendedHeader("path", "web/../../x"), { name: "web/ok" }]),
      /outside/,
    ],
    [
      "one that climbs in GNU's way",
      archiveOf([...chart, { name: "L", type: "L", content: "../x\0" }, { name: "web/ok" }]),
      /outside/,
    ],
    [
      "one with two long names",
      archiveOf([extendedHeader("path", "web/a"), { name: "L", type: "L", content: "web/b" }, ...chart]),
      /more than one name/,
    ],
    ["one whose long name belongs to nothing", archiveOf([...chart, extendedHeader("path", "web/a")]), /ends/],
    ["one with a dot", plus({ name: "web/./x" }), /"\." segment/],
    ["one below a dot", archiveOf(chart.map((entry) => ({ ...entry, name: `./${entry.name}` }))), /"\." segment/],
    ["one with an empty part", plus({ name: "web//x" }), /empty/],
    ["one with a control character", plus({ name: "web/a\nb" }), /control/],
    [
      "one with a name that is no text",
      archiveOf([...chart, { name: "L", type: "L", content: Buffer.from([0xff, 0xfe]) }, { name: "web/a" }]),
      /UTF-8/,
    ],
    ["one with a link", plus({ name: "web/link", type: "2", target: "../../etc/passwd" }), /link/],
    ["one with a link inside", plus({ name: "web/link", type: "2", target: "values.yaml" }), /link/],
    ["one with a hard link", plus({ name: "web/link", type: "1", target: "/etc/passwd" }), /link/],
    ["one with a device", plus({ name: "web/null", type: "3" }), /device/],
    ["one with a block device", plus({ name: "web/disk", type: "4" }), /device/],
    ["one with a pipe", plus({ name: "web/pipe", type: "6" }), /pipe/],
    ["one with a file with holes", plus({ name: "web/hole", type: "S" }), /unsupported entry/],
    [
      "one with holes after POSIX",
      archiveOf([...chart, extendedHeader("GNU.sparse.major", "1"), { name: "web/x" }]),
      /holes/,
    ],
    [
      "one with a broken extension",
      plus({ name: "x", type: "x", content: "999 path=x\n" }),
      /unreadable extended header/,
    ],
    ["one with a folder with content", plus({ name: "web/folder/", type: "5", content: "x" }), /content/],
    ["one with a file named like a folder", plus({ name: "web/folder/", type: "0", content: "x" }), /folder/],
    ["one with two roots", plus({ name: "other/x" }), /more than one folder/],
    ["one with a file at its top", archiveOf([{ name: "Chart.yaml", content: base }]), /outside the chart's folder/],
    ["one with two Chart.yaml", plus({ name: "web/Chart.yaml", content: base }), /more than once/],
    ["one with a file twice", archiveOf([...chart, ...chart.slice(1)]), /more than once/],
    ["one without Chart.yaml", archiveOf(chart.slice(1)), /no Chart.yaml/],
    ["one with a Chart.yaml below", archiveOf([{ name: "web/sub/Chart.yaml", content: base }]), /no Chart.yaml/],
    ["one with a size that lies", plus({ name: "web/x", size: 10_000_000 }), /ends unexpectedly/],
    ["another chart", archiveOf(smallChart({ name: "other" })), /a different chart, "other"/],
    ["another version", archiveOf(smallChart({ version: "1.0.1" })), /a different version, "1.0.1"/],
    ["a library", chartYaml(`${base}type: library\n`), /library/],
    ["of an unknown type", chartYaml(`${base}type: plugin\n`), /type/],
    ["of another apiVersion", chartYaml(base.replace("v2", "v3")), /apiVersion/],
    ["without a name", chartYaml("apiVersion: v2\nversion: 1.0.0\n"), /name or a version/],
    ["without a version", chartYaml("apiVersion: v2\nname: web\n"), /name or a version/],
    ["with a list for a Chart.yaml", chartYaml("- a\n"), /an invalid Chart.yaml/],
    ["with a Chart.yaml that names itself twice", chartYaml(`${base}name: other\n`), /an invalid Chart.yaml/],
    ["with a Chart.yaml that is no YAML", chartYaml(`${base}type: [\n`), /an invalid Chart.yaml/],
    [
      "with a Chart.yaml that is no text",
      archiveOf([{ name: "web/Chart.yaml", content: Buffer.from([0xff, 0xfe, 0]) }]),
      /UTF-8/,
    ],
    ["with a huge Chart.yaml", archiveOf([{ name: "web/Chart.yaml", content: Buffer.alloc(2_000_000, "a") }]), /large/],
  ])("is rejected when it is %s", async (_what, bytes, why) => {
    const error: unknown = await check(bytes).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ChartUnavailable);
    expect(error).toMatchObject({ reason: "ChartInvalid", isPassing: false });
    expect((error as Error).message).toMatch(why);
    expect((error as Error).message).toContain("charts.example.com");
    expect((error as Error).message).not.toContain("hunter2");
  });

  it("is rejected when it unpacks to too much, after reading only a part", async () => {
    const bomb = gzipSync(tarOf([...chart, { name: "web/zeros", content: Buffer.alloc(64 * 1024 * 1024) }]));
    await expect(check(bomb)).rejects.toThrow(/exceeds the uncompressed size limit/);
    await expect(check(bomb, { unpackRatio: 10_000, unpackedBytes: 1_000_000 })).rejects.toThrow(
      /exceeds the uncompressed size limit/,
    );
    expect(await check(bomb, { unpackRatio: 10_000 })).toMatchObject({ name: "web" });
    const behind = gzipSync(Buffer.concat([tarOf(chart), Buffer.alloc(64 * 1024 * 1024)]));
    await expect(check(behind)).rejects.toThrow(/exceeds the uncompressed size limit/);
  });

  it("is rejected when it has too many entries", async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ name: `web/file-${at}` }));
    await expect(check(archiveOf([...chart, ...many]), { archiveEntries: 51 })).rejects.toThrow(/more than 51 entries/);
    expect(await check(archiveOf([...chart, ...many]), { archiveEntries: 52 })).toMatchObject({ name: "web" });
  });

  it("is accepted or rejected after any change, and leaves no file open", async () => {
    const whole = tarOf(chart);
    const before = (await readdir("/proc/self/fd")).length;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        const outcome: unknown = await check(gzipSync(changed)).catch((caught: unknown) => caught);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ChartUnavailable);
      }),
      { numRuns: shortOrLong(100, 20_000) },
    );
    expect((await readdir("/proc/self/fd")).length).toBeLessThan(before + 20);
  });
});
