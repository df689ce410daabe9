import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Unavailable } from "@butler/std";
import { createLogger, MetricsRegistry } from "@butler/telemetry";
import { eventually, FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { type ProcessOptions, runProcess } from "./process-lifecycle.ts";

function start(options: Partial<ProcessOptions> = {}) {
  const events = new EventEmitter();
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const stopping = Promise.withResolvers<void>();
  const health = Promise.withResolvers<number>();
  let aborts = 0;
  const code = runProcess({
    logger,
    metrics,
    clock,
    events,
    isReady: () => true,
    onHealthPort: health.resolve,
    roles: (signal) => {
      signal.addEventListener("abort", () => aborts++);
      return stopping.promise;
    },
    ...options,
  });
  return {
    events,
    clock,
    metrics,
    lines,
    code,
    aborts: () => aborts,
    stopRoles: stopping.resolve,
    healthPort: health.promise,
  };
}

const listeners = (events: EventEmitter): number =>
  events.eventNames().reduce((sum, name) => sum + events.listenerCount(name), 0);

const rejectWith =
  (reasonOf: (signal: AbortSignal) => unknown): ProcessOptions["roles"] =>
  (signal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(reasonOf(signal))));

describe("runProcess", () => {
  it("aborts once on a signal, waits for the roles and leaves nothing behind", async () => {
    const { events, clock, code, aborts, stopRoles } = start();
    expect(listeners(events)).toBe(4);
    events.emit("SIGTERM");
    expect(aborts()).toBe(1);
    stopRoles();
    expect(await code).toBe(0);
    expect(aborts()).toBe(1);
    expect(listeners(events)).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ["SIGINT", "SIGINT", 130],
    ["SIGTERM", "SIGTERM", 143],
    ["SIGINT", "SIGTERM", 143],
  ])("exits at once on a second signal (%s, %s)", async (one, two, expected) => {
    const { events, code, aborts } = start();
    events.emit(one);
    events.emit(two);
    expect(await code).toBe(expected);
    expect(aborts()).toBe(1);
  });

  it("does not wait for the roles beyond the grace period", async () => {
    const { events, clock, code, lines } = start({ shutdownGraceMs: 5_000 });
    events.emit("SIGTERM");
    clock.advance(4_999);
    expect(lines.join("")).not.toContain("took too long");
    clock.advance(1);
    expect(await code).toBe(1);
    expect(lines.join("")).toContain("shutdown took too long");
  });

  it.each(["unhandledRejection", "uncaughtException"])("logs and counts a fault (%s) and ends with 1", async (kind) => {
    const { events, metrics, code, lines, aborts, stopRoles } = start();
    events.emit(kind, new Error("Bearer abcdefghijklmnop was refused"));
    expect(aborts()).toBe(1);
    stopRoles();
    expect(await code).toBe(1);
    expect(await metrics.value("butler_process_faults_total", { kind })).toBe(1);
    expect(lines.join("")).toContain("unhandled error");
    expect(lines.join("")).not.toContain("abcdefghijklmnop");
  });

  it.each<[string, ProcessOptions["roles"], number]>([
    ["the roles end on their own", () => Promise.resolve(), 0],
    ["the roles fail", () => Promise.reject(new Error("no")), 1],
    [
      "the roles throw",
      () => {
        throw new Error("no");
      },
      1,
    ],
  ])("ends when %s", async (_name, roles, expected) => {
    expect(await start({ roles }).code).toBe(expected);
  });

  it("treats a rejection with the abort reason as a clean end, and no other", async () => {
    const clean = start({ roles: rejectWith((signal) => signal.reason) });
    clean.events.emit("SIGTERM");
    expect(await clean.code).toBe(0);
    const dirty = start({ roles: rejectWith(() => new Error("half-written file")) });
    dirty.events.emit("SIGTERM");
    expect(await dirty.code).toBe(1);
  });

  it("serves liveness, readiness and metrics", async () => {
    let isReady = false;
    const { events, code, healthPort, stopRoles } = start({
      healthPort: 0,
      isReady: () => isReady,
      waitsFor: () => ["teams.butler.butlerlabs.dev is not served", "second reason"],
    });
    const page = async (path: string, method = "GET") => {
      const answer = await fetch(`http://127.0.0.1:${await healthPort}${path}`, { method });
      return { status: answer.status, text: await answer.text(), type: answer.headers.get("content-type") };
    };
    expect(await page("/healthz")).toMatchObject({ status: 200, text: "ok\n" });
    expect(await page("/readyz")).toMatchObject({
      status: 503,
      text: "not ready\nteams.butler.butlerlabs.dev is not served\nsecond reason\n",
    });
    isReady = true;
    expect(await page("/readyz?verbose")).toMatchObject({ status: 200 });
    expect(await page("/healthz", "POST")).toMatchObject({ status: 405 });
    expect(await page("/constructor")).toMatchObject({ status: 404 });
    const metrics = await page("/metrics");
    expect(metrics.type).toContain("text/plain; version=0.0.4");
    expect(metrics.text).toContain('butler_event_loop_delay_seconds{quantile="0.99"}');
    events.emit("SIGTERM");
    expect(await page("/readyz")).toMatchObject({ status: 503 });
    expect(await page("/healthz")).toMatchObject({ status: 200 });
    stopRoles();
    expect(await code).toBe(0);
    await expect(page("/healthz")).rejects.toThrow();
  });

  it("does not start when the health port is in use", async () => {
    const first = start({ healthPort: 0 });
    let hasBegun = false;
    const second = start({
      healthPort: await first.healthPort,
      roles: async () => {
        hasBegun = true;
      },
    });
    await expect(second.code).rejects.toThrow(Unavailable);
    expect(hasBegun).toBe(false);
    expect(listeners(second.events)).toBe(0);
    expect(second.clock.pending).toBe(0);
    first.stopRoles();
    await first.code;
  });

  it("publishes the event loop delay", async () => {
    const { clock, metrics, code, stopRoles } = start();
    const worst = () => metrics.value("butler_event_loop_delay_seconds", { quantile: "1" });
    expect(await worst()).toBe(0);
    await eventually(async () => {
      const until = performance.now() + 150;
      while (performance.now() < until);
      await new Promise((resolve) => setTimeout(resolve, 50));
      clock.advance(10_000);
      return (await worst()) > 0.1;
    });
    expect(await metrics.value("butler_event_loop_delay_seconds", { quantile: "0.5" })).toBeLessThan(0.1);
    stopRoles();
    await code;
  });
});

describe("runProcess in a process of its own", () => {
  const module = fileURLToPath(new URL("./process-lifecycle.ts", import.meta.url));
  const telemetry = fileURLToPath(import.meta.resolve("@butler/telemetry"));

  /** A main program whose roles are given as source code; it reports its start. */
  async function launch<T>(
    roles: string,
    use: (child: ChildProcess, exit: Promise<unknown[]>) => Promise<T>,
  ): Promise<T> {
    const directory = await mkdtemp(join(tmpdir(), "butler-process-"));
    const main = join(directory, "main.ts");
    await writeFile(
      main,
      `import { runProcess } from ${JSON.stringify(module)};
       import { createLogger, MetricsRegistry } from ${JSON.stringify(telemetry)};
       const ended = (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve));
       process.exit(await runProcess({
         logger: createLogger({ level: "silent" }), metrics: new MetricsRegistry(), isReady: () => true,
         roles: async (signal) => { const idle = setInterval(() => {}, 1000); console.log("begun"); ${roles}; clearInterval(idle); },
       }));`,
    );
    const child = spawn(process.execPath, [main], { stdio: ["ignore", "pipe", "inherit"] });
    const exit = once(child, "exit");
    try {
      if (child.stdout !== null) await once(child.stdout, "data");
      return await use(child, exit);
    } finally {
      child.kill("SIGKILL");
      await exit;
      await rm(directory, { recursive: true });
    }
  }

  it.each<[string, string, NodeJS.Signals[], number[]]>([
    ["ends cleanly on SIGTERM", "await ended(signal)", ["SIGTERM"], [0]],
    // Two signals sent at once may arrive in either order.
    ["ends at once on a second signal", "await new Promise(() => {})", ["SIGINT", "SIGTERM"], [130, 143]],
    ["ends with 1 after an unhandled rejection", "Promise.reject(new Error('x')); await ended(signal)", [], [1]],
    ["ends with 1 after an uncaught exception", "setTimeout(() => { throw 1; }); await ended(signal)", [], [1]],
  ])("%s", async (_name, roles, signals, expected) => {
    await launch(roles, async (child, exit) => {
      for (const signal of signals) child.kill(signal);
      const [code] = await exit;
      expect(expected).toContain(code);
    });
  });
});
