import { type BackoffPolicy, deepEqual, InvalidInput, isRecord } from "@butler/std";
import { constants } from "node:os";
import { isAbsolute } from "node:path";

/** The readiness probe of a service. */
export type ReadinessProbe =
  | {
      readonly type: "http";
      /** With https the certificate is verified: against `caFile`, or against Node's root certificates. */
      readonly url: string;
      readonly caFile?: string | undefined;
      readonly certFile?: string | undefined;
      readonly keyFile?: string | undefined;
      /** The expected name in the certificate, if it differs from the one in the URL. */
      readonly serverName?: string | undefined;
      /** Defaults to 200. */
      readonly status?: number | undefined;
    }
  | { readonly type: "tcp"; readonly host?: string | undefined; readonly port: number }
  | { readonly type: "unix"; readonly path: string }
  /** Ready when the command exits with code 0; it has the service's environment and working directory. */
  | { readonly type: "exec"; readonly command: string; readonly args: readonly string[] }
  /** Ready when the file exists. The service has to remove a file left by an earlier run. */
  | { readonly type: "file"; readonly path: string };

/** The backoff of restarts. */
export interface RestartPolicy {
  readonly initialMs: number;
  readonly maximumMs: number;
  /** After being ready for this time, the next exit counts as the first one. */
  readonly resetAfterMs: number;
}

/** A program to run, as data. */
export interface ServiceSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  /** Services that must be ready before this one starts. If one of them exits later, its dependents keep running. */
  readonly dependsOn: readonly string[];
  /** Without a probe a service is ready as soon as it runs. */
  readonly readiness?: ReadinessProbe | undefined;
  /** Defaults to SIGTERM. */
  readonly stopSignal?: NodeJS.Signals | undefined;
  /** Grace period before it is killed; defaults to 10 seconds. */
  readonly stopGraceMs?: number | undefined;
  readonly restart?: Partial<RestartPolicy> | undefined;
  /** Output is appended to this file. */
  readonly logFile: string;
  /** Size from which the log is rotated; defaults to 10 MB. */
  readonly logMaxBytes?: number | undefined;
  /** Number of log files, including the current one; defaults to 3. */
  readonly logFiles?: number | undefined;
  /** If the kernel denies a lower value, the service runs without it. */
  readonly oomScoreAdj?: number | undefined;
  /** Makes it a chore: a program that runs once in this interval instead of continuously. Nothing can depend on it. */
  readonly everyMs?: number | undefined;
}

/** The backoff of a service, without jitter: no other process competes for its resources. */
export function restartBackoff({ restart }: ServiceSpec): BackoffPolicy & RestartPolicy {
  const { initialMs = 200, maximumMs = 30_000, resetAfterMs = 30_000 } = restart ?? {};
  return { initialMs, maximumMs, resetAfterMs, factor: 2, jitter: 0 };
}

/** Whether a process started from one spec need not be restarted for the other. */
export function runsTheSame(one: ServiceSpec, other: ServiceSpec): boolean {
  return deepEqual(processPart(one), processPart(other));
}

/** The fields of a spec that affect its process. */
export function processPart({
  command,
  args,
  environment,
  workingDirectory,
  logFile,
  oomScoreAdj,
}: ServiceSpec): unknown {
  return { command, args, environment, workingDirectory, logFile, oomScoreAdj };
}

/**
 * Parses a list of services and reports what is wrong with it: a field, a duplicate name, a missing or circular
 * dependency.
 */
export function parseServices(value: unknown): ServiceSpec[] {
  if (!Array.isArray(value)) throw new InvalidInput("services must be a list");
  const specs = value.map((item: unknown, at) => parseService(item, `services[${at}]`));
  const byName = new Map(specs.map((spec) => [spec.name, spec]));
  for (const spec of specs) {
    if (byName.get(spec.name) !== spec) throw new InvalidInput(`duplicate service name ${spec.name}`);
    const missing = spec.dependsOn.find((name) => byName.get(name)?.everyMs !== undefined || !byName.has(name));
    if (missing !== undefined) {
      throw new InvalidInput(`${spec.name} depends on ${missing}, which is not a service`);
    }
  }
  const done = new Set<string>();
  for (const spec of specs) refuseCycle(spec.name, { byName, done, path: [] });
  return specs;
}

/** Parses one service; `where` is its path in messages. */
export function parseService(value: unknown, where: string): ServiceSpec {
  checkService(value, where);
  return value as ServiceSpec;
}

interface CycleSearch {
  readonly byName: ReadonlyMap<string, ServiceSpec>;
  readonly done: Set<string>;
  readonly path: readonly string[];
}

function refuseCycle(name: string, search: CycleSearch): void {
  const { byName, done, path } = search;
  if (path.includes(name)) {
    const circle = [...path.slice(path.indexOf(name)), name];
    throw new InvalidInput(`services have a dependency cycle: ${circle.join(" -> ")}`);
  }
  if (done.has(name)) return;
  for (const next of byName.get(name)?.dependsOn ?? []) refuseCycle(next, { ...search, path: [...path, name] });
  done.add(name);
}

type Check = (value: unknown, where: string) => void;

function check(isGood: (value: unknown) => boolean, expected: string): Check {
  return (value, where) => {
    if (!isGood(value)) throw new InvalidInput(`${where} must be ${expected}`);
  };
}

function optional(inner: Check): Check {
  return (value, where) => {
    if (value !== undefined) inner(value, where);
  };
}

function fields(table: Readonly<Record<string, Check>>): Check {
  return (value, where) => {
    if (!isRecord(value)) throw new InvalidInput(`${where} must be an object`);
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(table, key));
    if (unknown !== undefined) throw new InvalidInput(`${where} has an unknown field ${unknown}`);
    for (const [key, inner] of Object.entries(table)) inner(value[key], `${where}.${key}`);
  };
}

const isText = (value: unknown): value is string => typeof value === "string" && !value.includes("\0");
const isPath = (value: unknown): boolean => isText(value) && isAbsolute(value);

const text = check(isText, "text");
const path = check(isPath, "an absolute path");
const texts = check((value) => Array.isArray(value) && value.every(isText), "a list of strings");
const number = (from: number, to = Number.MAX_SAFE_INTEGER): Check =>
  check(
    (value) => typeof value === "number" && Number.isInteger(value) && value >= from && value <= to,
    to === Number.MAX_SAFE_INTEGER ? `an integer of at least ${from}` : `an integer from ${from} to ${to}`,
  );

const probes: ReadonlyMap<unknown, Check> = new Map([
  [
    "http",
    fields({
      type: text,
      url: check((value) => isText(value) && /^https?:/.test(value) && URL.canParse(value), "an http or https URL"),
      caFile: optional(path),
      certFile: optional(path),
      keyFile: optional(path),
      serverName: optional(text),
      status: optional(number(100, 599)),
    }),
  ],
  ["tcp", fields({ type: text, host: optional(text), port: number(1, 65_535) })],
  ["unix", fields({ type: text, path })],
  ["exec", fields({ type: text, command: path, args: texts })],
  ["file", fields({ type: text, path })],
]);

const probe: Check = (value, where) => {
  const inner = isRecord(value) ? probes.get(value["type"]) : undefined;
  if (inner === undefined) throw new InvalidInput(`${where}.type must be one of ${[...probes.keys()].join(", ")}`);
  inner(value, where);
};

const checkService = fields({
  name: check((value) => isText(value) && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(value), "a lowercase DNS label"),
  command: path,
  args: texts,
  environment: check((value) => isRecord(value) && Object.values(value).every(isText), "an object with string values"),
  workingDirectory: path,
  dependsOn: texts,
  readiness: optional(probe),
  stopSignal: optional(check((value) => isText(value) && Object.hasOwn(constants.signals, value), "a signal's name")),
  stopGraceMs: optional(number(0)),
  restart: optional(
    fields({
      initialMs: optional(number(1)),
      maximumMs: optional(number(1)),
      resetAfterMs: optional(number(0)),
    }),
  ),
  logFile: path,
  logMaxBytes: optional(number(1)),
  logFiles: optional(number(1)),
  oomScoreAdj: optional(number(-1_000, 1_000)),
  everyMs: optional(number(1)),
});
