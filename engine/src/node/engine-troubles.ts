import type { ServiceStatus } from "../supervisor/service-status.ts";
import type { Obstacle } from "./machine-checks.ts";

/** A process that listens on a port. */
export interface Listener {
  readonly pid: number;
  readonly program: string;
}

/** What is known of an engine that may not be well. */
export interface TroubleFacts {
  readonly name: string;
  readonly directory: string;
  readonly freeDiskBytes: number;
  readonly services: readonly ServiceStatus[];
  /** What the supervisor says is wrong with itself. */
  readonly supervisorProblems: readonly string[];
  /** Who listens on the ports that services could not have. */
  readonly listeners: ReadonlyMap<number, Listener>;
}

type Symptom = "port" | "disk" | "program";

const symptoms: readonly (readonly [Symptom, RegExp])[] = [
  ["port", /address already in use/],
  ["disk", /no space left on device/i],
  // What the system cannot run is taken for a script, so that a shell complains of its lines.
  [
    "program",
    /exec format error|cannot execute|\/bin\/[-\w]+: \d+: |signal (SIGSEGV|SIGILL|SIGBUS)|unexpected fault address/i,
  ],
];

/** With less than this nothing can be written down properly. */
const fullBelowBytes = 64 * 2 ** 20;
const manyTimes = 3;

/** What keeps an engine from working, as far as that can be told, with what to do about it. */
export function findTroubles(facts: TroubleFacts): Obstacle[] {
  const failing = facts.services.filter(({ state }) => state === "Backoff" || state === "Failed");
  const sick = failing.map((service) => ({ service, symptom: symptomOf(service) }));
  const isFull = facts.freeDiskBytes < fullBelowBytes || sick.some(({ symptom }) => symptom === "disk");
  // On a full disk nobody can even log what is wrong, so that all that has no other explanation comes from there.
  const isExplained = (symptom: Symptom | undefined): boolean =>
    isFull && (symptom === undefined || symptom === "disk");
  return [
    ...(isFull ? [fullDisk(facts)] : []),
    ...sick.flatMap(({ service, symptom }) => (isExplained(symptom) ? [] : [describe(service, symptom, facts)])),
    ...(isFull ? [] : facts.supervisorProblems.map((problem) => ofSupervisor(problem, facts))),
  ];
}

/** The ports that failing services could not have. */
export function wantedPorts(services: readonly ServiceStatus[]): number[] {
  const ports = services.map(({ message }) => /:(\d+): bind: address already in use/.exec(message)?.[1]);
  return [...new Set(ports.flatMap((port) => (port === undefined ? [] : [Number(port)])))];
}

/**
 * What to think of a service that is waited for. Lost: it ended several times in a row, for a reason that does not pass
 * by itself. Doubtful: the same for a reason that nobody knows, such as a damaged program.
 */
export function judgeService(service: ServiceStatus): "well" | "doubtful" | "lost" {
  const times = Number(/\((\d+) times in a row\)/.exec(service.message)?.[1] ?? 1);
  if (service.state !== "Backoff" || times < manyTimes) return "well";
  return symptomOf(service) === undefined ? "doubtful" : "lost";
}

function symptomOf({ message }: ServiceStatus): Symptom | undefined {
  return symptoms.find(([, pattern]) => pattern.test(message))?.[0];
}

function fullDisk({ name, directory, freeDiskBytes }: TroubleFacts): Obstacle {
  return {
    what: `the disk that holds ${directory} is full: ${Math.floor(freeDiskBytes / 2 ** 20)} MiB are free`,
    remedy: `Free some of it, then run: ${command("up", name)}`,
  };
}

function describe(service: ServiceStatus, symptom: Symptom | undefined, facts: TroubleFacts): Obstacle {
  if (symptom === "port") return takenPort(service, facts);
  if (symptom === "program") {
    return {
      what: `the program of ${service.name} is damaged or made for another kind of machine`,
      remedy: `Have it compared and replaced: ${command("up --verify", facts.name)}`,
    };
  }
  return {
    what: `${service.name} ${service.message.split("\n")[0] ?? ""}`,
    remedy: `Read why: ${command(`logs ${service.name}`, facts.name)}`,
  };
}

function takenPort(service: ServiceStatus, { name, listeners }: TroubleFacts): Obstacle {
  const [port = 0] = wantedPorts([service]);
  const listener = listeners.get(port);
  const who = listener === undefined ? "another process" : `process ${listener.pid} (${listener.program})`;
  const end = listener === undefined ? "End that process" : `End it (kill ${listener.pid})`;
  return {
    what: `${service.name} cannot have port ${port} in the engine's network: ${who} listens there`,
    remedy: `${end}, then run: ${command("up", name)}`,
  };
}

function ofSupervisor(problem: string, { name }: TroubleFacts): Obstacle {
  return { what: problem, remedy: `If it stays so, run: ${command("down", name)} and then up` };
}

function command(verb: string, name: string): string {
  return `butleradm local ${verb}${name === "local" ? "" : ` --name ${name}`}`;
}
