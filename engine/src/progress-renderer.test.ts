import { describe, expect, it } from "vitest";
import type { ProgressReport } from "./progress.ts";
import { plainProgress, progressLine, renderProgress, terminalProgress } from "./progress-renderer.ts";
import { FakeClock } from "./testing/fake-clock.ts";

const report: ProgressReport = {
  tool: "kube-apiserver",
  version: "v1.36.3",
  source: "go",
  position: 2,
  count: 4,
  fraction: 0.42,
  elapsedMs: 72_400,
  remainingMs: 100_000,
};

function aSink(properties: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = [];
  return { ...properties, written, write: (text: string) => written.push(text) };
}

describe("progressLine", () => {
  it.each([
    [120, "building kube-apiserver v1.36.3 (2/4) █████████████░░░░░░░░░░░░░░░░░  42%  1m12s, about 1m40s left"],
    [79, "building kube-apiserver v1.36.3 (2/4) █████░░░░░░  42%  1m12s, about 1m40s left"],
    [70, "building kube-apiserver v1.36.3 (2/4)   42%  1m12s, about 1m40s left"],
    [30, "building kube-apiserver v1.36."],
    [0, ""],
  ])("fits %i columns", (width, expected) => {
    expect(progressLine(report, width)).toBe(expected);
    expect(expected.length).toBeLessThanOrEqual(width);
  });

  it("distinguishes downloads from builds", () => {
    expect(progressLine({ ...report, source: "archive" }, 120)).toMatch(/^downloading kube-apiserver/);
  });
});

describe("terminalProgress", () => {
  it("redraws one line and keeps final lines", () => {
    const sink = aSink({ isTTY: true, columns: 80 });
    const progress = terminalProgress(sink);
    progress.noted("installing something");
    progress.started(report);
    progress.finished({ ...report, elapsedMs: 75_000 });
    progress.failed({ ...report, source: "archive" }, new Error("no network"));
    progress.closed();
    expect(sink.written).toEqual([
      "\r\u001b[2Kinstalling something\n",
      "\r\u001b[2Kbuilding kube-apiserver v1.36.3 (2/4) █████░░░░░░  42%  1m12s, about 1m40s left",
      "\r\u001b[2Kkube-apiserver v1.36.3 is ready (2 of 4, 1m15s)\n",
      "\r\u001b[2Kkube-apiserver v1.36.3: download failed: no network\n",
      "\r\u001b[2K",
    ]);
  });
});

describe("plainProgress", () => {
  it("writes one line per event and a heartbeat every 15 seconds", () => {
    const sink = aSink();
    const clock = new FakeClock();
    const progress = plainProgress(sink, clock);
    progress.waiting("process 7 on here");
    progress.noted("installing something");
    progress.started({ ...report, elapsedMs: 0 });
    for (let second = 1; second <= 31; second += 1) {
      clock.advance(1_000);
      progress.advanced({ ...report, elapsedMs: second * 1_000 });
    }
    progress.finished(report);
    expect(sink.written).toEqual([
      "engine: waiting for process 7 on here\n",
      "engine: installing something\n",
      "engine: building kube-apiserver v1.36.3 (2 of 4), about 1m40s left in total\n",
      "engine: still building kube-apiserver v1.36.3 (2 of 4): 15s, about 1m40s left\n",
      "engine: still building kube-apiserver v1.36.3 (2 of 4): 30s, about 1m40s left\n",
      "engine: kube-apiserver v1.36.3 is ready (2 of 4, 1m12s)\n",
    ]);
  });
});

describe("a failure", () => {
  it("is reported once, however many tools it affects", () => {
    const sink = aSink();
    const progress = plainProgress(sink);
    const silence = new Error("cannot reach releases.example");
    for (const tool of ["etcd", "kubectl"]) progress.failed({ ...report, tool, source: "archive" }, silence);
    progress.failed({ ...report, tool: "helm", source: "archive" }, new Error("no such file"));
    expect(sink.written).toEqual([
      "engine: etcd v1.36.3: download failed: cannot reach releases.example\n",
      "engine: helm v1.36.3: download failed: no such file\n",
    ]);
  });
});

describe("renderProgress", () => {
  it.each([
    [true, "\r"],
    [false, "engine: "],
  ])("with a terminal %s starts with %o", (isTTY, beginning) => {
    const sink = aSink({ isTTY });
    renderProgress(sink).started(report);
    expect(sink.written[0]?.startsWith(beginning)).toBe(true);
  });
});
