import type { ServiceStatus } from "../supervisor/service-status.ts";
import type { Problem } from "./machine-checks.ts";

/** A process that listens on a port. */
export interface Listener {
  readonly pid: number;
  readonly program: string;
}

/** Facts about an engine that may be unhealthy. */
export interface EngineFacts {
  readonly name: string;
  readonly directory: string;
  readonly freeDiskBytes: number;
  readonly services: readonly ServiceStatus[];
  /** Problems that the supervisor reports about itself. */
  readonly supervisorProblems: readonly string[];
  /** The processes that listen on ports which services require. */
  readonly listeners: ReadonlyMap<number, Listener>;
}

type Symptom = "port" | "disk" | "program";

const symptoms: readonly (readonly [Symptom, RegExp])[] = [
  ["port", /address already in use/],
  ["disk", /no space left on device/i],
  // A binary that the kernel cannot execute is run as a script, so that a shell reports syntax errors.
  [
    "program",
    /exec format error|cannot execute|\/bin\/[-\w]+: \d+: |signal (SIGSEGV|SIGILL|SIGBUS)|unexpected fault address/i,
  ],
];

/** With less free space files cannot be written reliably. */
const fullBelowBytes = 64 * 2 ** 20;
const manyTimes = 3;

/** The known causes that keep an engine from working, with remedies. */
export function findEngineProblems(facts: EngineFacts): Problem[] {
  const failing = facts.services.filter(({ state }) => state === "Backoff" || state === "Failed");
  const sick = failing.map((service) => ({ service, symptom: symptomOf(service) }));
  const isFull = facts.freeDiskBytes < fullBelowBytes || sick.some(({ symptom }) => symptom === "disk");
  // On a full disk services cannot even log errors, so that every unexplained failure is attributed to it.
  const isExplained = (symptom: Symptom | undefined): boolean =>
    isFull && (symptom === undefined || symptom === "disk");
  return [
    ...(isFull ? [fullDisk(facts)] : []),
    ...sick.flatMap(({ service, symptom }) => (isExplained(symptom) ? [] : [describe(service, symptom, facts)])),
    ...(isFull ? [] : facts.supervisorProblems.map((problem) => ofSupervisor(problem, facts))),
  ];
}

/** The ports that failing services could not bind. */
export function wantedPorts(services: readonly ServiceStatus[]): number[] {
  const ports = services.map(({ message }) => /:(\d+): bind: address already in use/.exec(message)?.[1]);
  return [...new Set(ports.flatMap((port) => (port === undefined ? [] : [Number(port)])))];
}

/**
 * The verdict on a service that is waited for. Lost: it exited several times in a row, for a known reason that does not
 * resolve on its own. Doubtful: the same for an unknown reason, such as a damaged program.
 */
export function judgeService(service: ServiceStatus): "well" | "doubtful" | "lost" {
  const times = Number(/\((\d+) times in a row\)/.exec(service.message)?.[1] ?? 1);
  if (service.state !== "Backoff" || times < manyTimes) return "well";
  return symptomOf(service) === undefined ? "doubtful" : "lost";
}

function symptomOf({ message }: ServiceStatus): Symptom | undefined {
  return symptoms.find(([, pattern]) => pattern.test(message))?.[0];
}

function fullDisk({ name, directory, freeDiskBytes }: EngineFacts): Problem {
  return {
    what: `the disk that holds ${directory} is full: ${Math.floor(freeDiskBytes / 2 ** 20)} MiB free`,
    remedy: `Free disk space, then run: ${command("up", name)}`,
  };
}

function describe(service: ServiceStatus, symptom: Symptom | undefined, facts: EngineFacts): Problem {
  if (symptom === "port") return takenPort(service, facts);
  if (symptom === "program") {
    return {
      what: `the ${service.name} binary is damaged or built for another platform`,
      remedy: `Verify and replace it with: ${command("up --verify", facts.name)}`,
    };
  }
  return {
    what: `${service.name} ${service.message.split("\n")[0] ?? ""}`,
    remedy: `Check its log: ${command(`logs ${service.name}`, facts.name)}`,
  };
}

function takenPort(service: ServiceStatus, { name, listeners }: EngineFacts): Problem {
  const [port = 0] = wantedPorts([service]);
  const listener = listeners.get(port);
  const who = listener === undefined ? "another process" : `process ${listener.pid} (${listener.program})`;
  const end = listener === undefined ? "Stop that process" : `Stop it (kill ${listener.pid})`;
  return {
    what: `${service.name} cannot listen on port ${port} in the engine's network: the port is in use by ${who}`,
    remedy: `${end}, then run: ${command("up", name)}`,
  };
}

function ofSupervisor(problem: string, { name }: EngineFacts): Problem {
  return { what: problem, remedy: `If the problem persists, run: ${command("down", name)} && ${command("up", name)}` };
}

function command(verb: string, name: string): string {
  return `butleradm local ${verb}${name === "local" ? "" : ` --name ${name}`}`;
}
