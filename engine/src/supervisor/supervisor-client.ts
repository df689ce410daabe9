import {
  Conflict,
  describeError,
  InvalidInput,
  isRecord,
  NotFound,
  sleep,
  systemClock,
  Timeout,
  Unavailable,
} from "@butler/std";
import { once } from "node:events";
import http from "node:http";
import { type LogReading, readLog } from "./log-file.ts";
import { isRunning } from "./service-process.ts";
import type { ServiceStatus, SupervisorStatus } from "./service-status.ts";
import { readServices, type StatePaths, statePaths } from "./state-directory.ts";

/** How to wait for services. */
export interface ServiceWait {
  /** Defaults to all services. */
  readonly services?: readonly string[] | undefined;
  readonly timeoutMs: number;
  /** Called for each of the services first, and whenever its state or message changes. */
  readonly onChange?: ((service: ServiceStatus) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const answerTimeoutMs = 5_000;
const pollMs = 100;

/** A running supervisor, as seen from another process. */
export class SupervisorClient {
  readonly #paths: StatePaths;

  constructor(paths: StatePaths) {
    this.#paths = paths;
  }

  status(): Promise<SupervisorStatus> {
    return this.#call("GET", "/status");
  }

  /** Makes it reload its services, and start those that were stopped or failed. */
  reload(): Promise<SupervisorStatus> {
    return this.#call("POST", "/reload");
  }

  /** Restarts a service, or starts a stopped one. */
  restart(service: string): Promise<SupervisorStatus> {
    return this.#call("POST", "/restart", { service });
  }

  /** Stops services and waits until they have exited; without names, stops everything including the supervisor. */
  async stop({ services, ...wait }: ServiceWait): Promise<void> {
    const deadline = systemClock.monotonicMs() + wait.timeoutMs;
    const { daemon } = await this.#call("POST", "/stop", { services });
    try {
      await this.#waitFor({ services, ...wait }, "stopped", ({ state }) => state === "Stopped");
    } catch (error) {
      // Once it has stopped everything it no longer responds.
      if (services !== undefined || !(error instanceof Unavailable)) throw error;
    }
    if (services !== undefined) return;
    while (isRunning(daemon)) {
      if (systemClock.monotonicMs() > deadline)
        throw new Timeout(`the supervisor (process ${daemon.pid}) did not exit`);
      await sleep(systemClock, pollMs, wait.signal);
    }
  }

  /** Waits until services are ready. Throws immediately when one cannot be started at all. */
  async waitReady(wait: ServiceWait): Promise<void> {
    await this.#waitFor(wait, "ready", ({ state, name, message }) => {
      if (state === "Failed") throw new Unavailable(`${name}: ${message}`);
      return state === "Ready";
    });
  }

  /** The lines of a service's log. */
  logs(service: string, reading: LogReading = {}): AsyncGenerator<string, void> {
    return serviceLogs(this.#paths.directory, service, reading);
  }

  async #waitFor(wait: ServiceWait, goal: string, isThere: (service: ServiceStatus) => boolean): Promise<void> {
    const deadline = systemClock.monotonicMs() + wait.timeoutMs;
    const told = new Map<string, string>();
    for (;;) {
      const services = select(await this.status(), wait.services);
      for (const service of services) {
        const text = `${service.state} ${service.message}`;
        if (told.get(service.name) !== text) wait.onChange?.(service);
        told.set(service.name, text);
      }
      const missing = services.filter((service) => !isThere(service));
      if (missing.length === 0) return;
      if (systemClock.monotonicMs() > deadline) throw late(missing, goal, wait.timeoutMs);
      await sleep(systemClock, pollMs, wait.signal);
    }
  }

  #call(method: "GET" | "POST", path: string, body?: unknown): Promise<SupervisorStatus> {
    return callSupervisor(this.#paths.socket, { method, path, body });
  }
}

/** The lines of a service's log; needs no supervisor. */
export async function* serviceLogs(
  directory: string,
  service: string,
  reading: LogReading = {},
): AsyncGenerator<string, void> {
  const specs = readServices(statePaths(directory));
  const spec = specs.find(({ name }) => name === service);
  if (spec === undefined) {
    throw new NotFound(`service ${service} not found; available: ${specs.map(({ name }) => name).join(", ")}`);
  }
  yield* readLog(spec.logFile, reading);
}

function select({ services }: SupervisorStatus, names: readonly string[] | undefined): readonly ServiceStatus[] {
  const unknown = names?.find((name) => services.every((service) => service.name !== name));
  if (unknown !== undefined) throw new NotFound(`service ${unknown} not found`);
  return names === undefined ? services : services.filter(({ name }) => names.includes(name));
}

function late(missing: readonly ServiceStatus[], goal: string, timeoutMs: number): Timeout {
  const list = missing.map(({ name, state, message }) => `${name} is ${state}${message === "" ? "" : `: ${message}`}`);
  return new Timeout(`not ${goal} after ${timeoutMs / 1_000} s: ${list.join("\n")}`);
}

interface SupervisorCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
}

async function callSupervisor(socketPath: string, { method, path, body }: SupervisorCall): Promise<SupervisorStatus> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  let code: number | undefined;
  let text = "";
  try {
    const request = http.request({ socketPath, method, path, agent: false, signal });
    const answered = once(request, "response");
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await answered) as [http.IncomingMessage];
    request.on("error", () => undefined);
    for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) text += chunk;
    code = response.statusCode;
  } catch (cause) {
    const why = signal.aborted ? `within ${answerTimeoutMs / 1_000} s` : `(${describeError(cause)})`;
    throw new Unavailable(`the supervisor at ${socketPath} does not respond ${why}`, { cause });
  }
  const answer: unknown = JSON.parse(text);
  if (code === 200) return answer as SupervisorStatus;
  throw refusal(code, isRecord(answer) ? String(answer["message"]) : text);
}

function refusal(code: number | undefined, message: string): Error {
  if (code === 400) return new InvalidInput(message);
  if (code === 404) return new NotFound(message);
  return code === 409 ? new Conflict(message) : new Unavailable(message);
}
