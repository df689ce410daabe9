import { type Clock, describeError, sleep, Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { access, readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { lastLines } from "../text-tail.ts";
import type { ReadinessProbe, ServiceSpec } from "./service-spec.ts";

const answerTimeoutMs = 3_000;
const startingPollMs = 200;
const readyPollMs = 10_000;
const failuresUntilUnready = 3;

/** Probes once: undefined when the service is ready, else the reason. */
export async function probeReadiness(spec: ServiceSpec): Promise<string | undefined> {
  const { readiness } = spec;
  if (readiness === undefined) return undefined;
  const inTime = AbortSignal.timeout(answerTimeoutMs);
  try {
    return await ask(readiness, spec, inTime);
  } catch (error) {
    return inTime.aborted ? `no response within ${answerTimeoutMs / 1_000} s` : describeError(error);
  }
}

/** Receives changes of a service's readiness, until the signal aborts. */
export interface ReadinessWatch {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called after each probe that may change the state: undefined when ready, else the reason. */
  readonly onResult: (notReadyBecause: string | undefined) => void;
}

/**
 * Probes often until the service is ready, then occasionally; a ready service becomes unready after three consecutive
 * failures.
 */
export async function watchReadiness(spec: ServiceSpec, { signal, clock, onResult }: ReadinessWatch): Promise<void> {
  let isReady = false;
  let failures = 0;
  while (!signal.aborted) {
    const problem = await probeReadiness(spec);
    if (signal.aborted) return;
    failures = problem === undefined ? 0 : failures + 1;
    if (problem === undefined || !isReady || failures >= failuresUntilUnready) {
      isReady = problem === undefined;
      onResult(problem);
    }
    // A service without a probe needs no further checks.
    if (spec.readiness === undefined) return;
    await sleep(clock, isReady ? readyPollMs : startingPollMs, signal).catch(() => undefined);
  }
}

function ask(probe: ReadinessProbe, spec: ServiceSpec, signal: AbortSignal): Promise<string | undefined> {
  switch (probe.type) {
    case "http":
      return askHttp(probe, signal);
    case "tcp":
      return connectTo({ host: probe.host ?? "127.0.0.1", port: probe.port }, signal);
    case "unix":
      return connectTo({ path: probe.path }, signal);
    case "exec":
      return run(probe, spec, signal);
    case "file":
      return access(probe.path).then(
        () => undefined,
        () => `${probe.path} does not exist`,
      );
  }
}

async function askHttp(
  probe: Extract<ReadinessProbe, { type: "http" }>,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Read each time, because certificates are renewed while a service runs.
  const [ca, cert, key] = await Promise.all([probe.caFile, probe.certFile, probe.keyFile].map(readIfNamed));
  const identity = probe.serverName === undefined ? {} : { servername: probe.serverName };
  const client = probe.url.startsWith("https:") ? https : http;
  const request = client.get(probe.url, { ca, cert, key, ...identity, agent: false, signal });
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  request.on("error", () => undefined);
  let body = "";
  for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
    body = (body + chunk).slice(0, 1_000);
  }
  const { status = 200 } = probe;
  if (response.statusCode === status) return undefined;
  return `${probe.url} returned ${response.statusCode}, expected ${status}: ${lastLines(body, 3)}`;
}

function readIfNamed(file: string | undefined): Promise<Buffer | undefined> {
  return file === undefined ? Promise.resolve(undefined) : readFile(file);
}

async function connectTo(
  target: { host: string; port: number } | { path: string },
  signal: AbortSignal,
): Promise<undefined> {
  const socket = net.connect({ ...target, signal });
  try {
    await once(socket, "connect");
  } finally {
    socket.destroy();
  }
}

function run(
  { command, args }: Extract<ReadinessProbe, { type: "exec" }>,
  { environment, workingDirectory }: ServiceSpec,
  signal: AbortSignal,
): Promise<undefined> {
  const options = { env: { ...environment }, cwd: workingDirectory, signal, killSignal: "SIGKILL" } as const;
  return new Promise((resolve, reject) => {
    execFile(command, [...args], options, (error, stdout, stderr) => {
      const said = lastLines(`${stdout}${stderr}`, 3);
      if (error === null) resolve(undefined);
      else reject(new Unavailable(`${command} failed: ${said === "" ? error.message : said}`));
    });
  });
}
