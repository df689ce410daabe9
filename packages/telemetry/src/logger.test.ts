import { describe, expect, it } from "vitest";
import { createLogger, type Logger, type LoggerOptions, type LogLevel, silentLogger } from "./logger.ts";
import { redacted } from "./redact.ts";

/** A logger and the lines that it wrote, both as text and parsed. */
function recording(options: Omit<LoggerOptions, "write"> = {}) {
  const lines: string[] = [];
  const logger = createLogger({ ...options, write: (line) => lines.push(line) });
  return { logger, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

function logAtEveryLevel(logger: Logger): void {
  for (const level of ["debug", "info", "warn", "error"] as const) logger[level]("hello");
}

describe("createLogger", () => {
  it("writes one JSON object per line, with time, level, message and fields", () => {
    const { logger, lines, records } = recording({ name: "butler" });
    logger.info("reconciled", { object: "payments/blue", durationMs: 12 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]+\n$/);
    expect(records()[0]).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      name: "butler",
      msg: "reconciled",
      object: "payments/blue",
      durationMs: 12,
    });
  });

  it.each<[LogLevel | "silent", string[]]>([
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
    ["silent", []],
  ])("writes at level %s only %j", (level, expected) => {
    const { logger, records } = recording({ level });
    logAtEveryLevel(logger);
    expect(records().map((record) => record["level"])).toEqual(expected);
  });

  it("writes info and above when no level is given", () => {
    const { logger, records } = recording();
    logAtEveryLevel(logger);
    expect(records()).toHaveLength(3);
  });

  it("describes an error with its causes on one line", () => {
    const { logger, records } = recording();
    const cause = new Error("connect ECONNREFUSED\n  10.0.0.1:6443");
    logger.warn("watch interrupted", { error: new Error("list nodes", { cause }) });
    expect(records()[0]).toMatchObject({ error: "list nodes: connect ECONNREFUSED 10.0.0.1:6443" });
  });
});

describe("with", () => {
  it("adds its fields to every line, including those of its parents", () => {
    const { logger, records } = recording();
    const child = logger.with({ controller: "team" }).with({ object: "payments" });
    child.info("one");
    child.info("two", { attempt: 2 });
    expect(records()).toMatchObject([
      { controller: "team", object: "payments", msg: "one" },
      { controller: "team", object: "payments", msg: "two", attempt: 2 },
    ]);
  });

  it("does not change the parent logger", () => {
    const { logger, records } = recording();
    logger.with({ controller: "team" });
    logger.info("one");
    expect(records()[0]).not.toHaveProperty("controller");
  });

  it("keeps the level", () => {
    const { logger, records } = recording({ level: "warn" });
    logAtEveryLevel(logger.with({ a: 1 }));
    expect(records()).toHaveLength(2);
  });
});

describe("secrets", () => {
  const secret = "hunter2hunter2";

  it.each<[string, (logger: Logger) => void]>([
    ["in a field with a telling name", (logger) => logger.info("x", { password: secret })],
    ["nested in a field", (logger) => logger.info("x", { request: { headers: { authorization: [secret] } } })],
    ["in a Secret", (logger) => logger.info("x", { object: { kind: "Secret", data: { pin: secret } } })],
    ["in an error", (logger) => logger.error("x", { error: new Error(`Bearer ${secret} refused`) })],
    [
      "in the cause of an error",
      (logger) => logger.error("x", { error: new Error("y", { cause: `token=${secret}` }) }),
    ],
    ["in the details of an error", (logger) => logger.error("x", { error: Object.assign(new Error("y"), { secret }) })],
    ["in a field of a child", (logger) => logger.with({ token: secret }).info("x")],
    ["in the message", (logger) => logger.info(`connect to https://me:${secret}@host`)],
  ])("are not logged: %s", (_where, log) => {
    const { logger, lines } = recording();
    log(logger);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(secret);
  });

  it("are replaced with a marker", () => {
    const { logger, records } = recording();
    logger.info("x", { password: secret, user: "me" });
    expect(records()[0]).toMatchObject({ password: redacted, user: "me" });
  });
});

describe("silentLogger", () => {
  it("accepts everything and writes nothing", () => {
    expect(() => logAtEveryLevel(silentLogger.with({ a: 1 }))).not.toThrow();
  });
});
