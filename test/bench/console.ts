// The console in a real browser (Chromium without a window), with a whole server and 5,000 clusters on a real API server.
//
// First load: compressed JavaScript that each page fetches into an empty cache; at most 250 kB. The public console of
// Butler fetches 342 kB for every page.
//
// List: from the navigation until all clusters are listed, with an empty cache and with a warm one; within 1 s. Then the
// list is scrolled, and the longest frame measured beside that of an empty page in the same run; at most 50 ms.
//
// Memory: 20 changes a second through the Kubernetes API while the list is open (`--minutes 10`; 0 leaves it out); the
// heap after collecting garbage must stay the same.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { addressOf, visits } from "@butler/console/visits";
import { sleep, systemClock } from "@butler/std";
import { scriptBytesOf } from "../console/lib/browser.ts";
import { settled } from "../console/lib/inspect.ts";
import { collectedHeapMiB, type Frames, scrollList, scrollNothing } from "./lib/console-frames.ts";
import { type ConsoleHarness, startConsoleHarness, timeToList } from "./lib/console-harness.ts";
import { printReport, quantile } from "./lib/report.ts";
import { clusterName, teamName } from "./lib/server-fleet.ts";

const { values: flags } = parseArgs({
  options: { clusters: { type: "string", default: "5000" }, minutes: { type: "string", default: "10" } },
});
const [clusters, minutes] = [Number(flags.clusters), Number(flags.minutes)];
if (!(Number.isInteger(clusters) && clusters > 0 && clusters % 10 === 0) || !(minutes >= 0)) {
  console.error("usage: npm run bench -- console [--clusters N, in tens] [--minutes N]");
  process.exit(2);
}
const aims = { firstLoadBytes: 250_000, publicConsoleBytes: 341_640, listMs: 1_000, frameMs: 50 } as const;
const changesPerSecond = 20;

say(`starting a server with ${clusters} clusters`);
const harness = await startConsoleHarness(clusters);
try {
  const loads = await measureFirstLoads(harness);
  const lists = await measureLists(harness);
  const memory = minutes === 0 ? undefined : await measureMemory(harness);
  const [largest] = [...loads].sort((left, right) => right.bytes - left.bytes);
  printReport(
    "console",
    [
      {
        name: "largest first load, beside the public console",
        unit: "B",
        ours: largest?.bytes ?? 0,
        baseline: aims.publicConsoleBytes,
        better: "lower",
      },
      {
        name: "longest frame while scrolling, beside an empty page",
        unit: "ms",
        ours: lists.frames.longestMs,
        baseline: lists.nothing.longestMs,
        better: "lower",
      },
    ],
    {
      "first load by page, B": Object.fromEntries(loads.map(({ name, bytes }) => [name, bytes])),
      "are all first loads within 250 kB": (largest?.bytes ?? 0) <= aims.firstLoadBytes,
      "ms until all are listed, empty cache": lists.coldMs.map(Math.round),
      "ms until all are listed, warm cache": lists.warmMs.map(Math.round),
      "is the list there within 1 s, median of an empty cache": quantile(lists.coldMs, 0.5) <= aims.listMs,
      "is the list there within 1 s, median of a warm cache": quantile(lists.warmMs, 0.5) <= aims.listMs,
      "frames of the list": lists.frames,
      "frames of an empty page": lists.nothing,
      "is every frame within 50 ms": lists.frames.longestMs <= aims.frameMs,
      ...memory,
      "load average of the machine": loadavg()[0],
    },
  );
} finally {
  await harness.stop();
}

interface FirstLoad {
  readonly name: string;
  readonly bytes: number;
}

async function measureFirstLoads({ url, open }: ConsoleHarness): Promise<FirstLoad[]> {
  const place = { team: teamName(0), cluster: clusterName(0), token: "none" };
  const found: FirstLoad[] = [];
  const pages = visits.filter(({ search, params }) => search === undefined && params === undefined);
  say(`loading ${pages.length} pages for the first time`);
  for (const visit of pages) {
    const context = await open();
    const page = await context.newPage();
    const bytes = scriptBytesOf(page);
    await page.goto(url + addressOf(visit, place));
    await settled(page);
    found.push({ name: visit.route, bytes: await bytes() });
    await context.close();
  }
  return found;
}

interface Lists {
  readonly coldMs: readonly number[];
  readonly warmMs: readonly number[];
  readonly frames: Frames;
  readonly nothing: Frames;
}

async function measureLists({ url, open }: ConsoleHarness): Promise<Lists> {
  say("listing");
  const address = `${url}/admin/clusters`;
  const coldMs: number[] = [];
  for (let at = 0; at < 5; at++) {
    const context = await open();
    coldMs.push(await timeToList(await context.newPage(), address, clusters));
    await context.close();
  }
  const context = await open();
  const page = await context.newPage();
  const warmMs: number[] = [];
  for (let at = 0; at < 6; at++) warmMs.push(await timeToList(page, address, clusters));
  say("scrolling");
  const frames = await scrollList(page, ".b-table");
  const nothing = await scrollNothing(await context.newPage());
  await context.close();
  return { coldMs, warmMs: warmMs.slice(1), frames, nothing };
}

async function measureMemory({ url, open, change }: ConsoleHarness): Promise<Record<string, unknown>> {
  say(`changing ${changesPerSecond} clusters a second for ${minutes} min`);
  const context = await open();
  const page = await context.newPage();
  await timeToList(page, `${url}/admin/clusters`, clusters);
  const began = performance.now();
  const endMs = minutes * 60_000;
  const everyMs = endMs / 30;
  const heaps: number[] = [];
  let turn = 0;
  for (let now = 0; now < endMs; now = performance.now() - began) {
    const due = Math.floor((now / 1_000) * changesPerSecond);
    while (turn < due) await change(turn++);
    if (now >= heaps.length * everyMs) heaps.push(await collectedHeapMiB(page));
    await sleep(systemClock, 20);
  }
  await context.close();
  const third = Math.floor(heaps.length / 3);
  const mean = (some: readonly number[]): number =>
    Number((some.reduce((sum, each) => sum + each, 0) / some.length).toFixed(2));
  return {
    "memory: changes": turn,
    "memory: changes a second": Number((turn / (minutes * 60)).toFixed(1)),
    "memory: heap after collecting garbage in thirds, MiB": [
      mean(heaps.slice(0, third)),
      mean(heaps.slice(third, 2 * third)),
      mean(heaps.slice(-third)),
    ],
    "memory: samples, MiB": heaps.map((each) => Number(each.toFixed(1))),
  };
}

function say(sentence: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${sentence} ... (load ${loadavg()[0]?.toFixed(1)})`);
}
