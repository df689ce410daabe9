import { ButlerError, type Clock, describeError, systemClock } from "@butler/std";
import { type Logger, silentLogger } from "@butler/telemetry";
import type { JobView, ReleaseAction } from "../release/situation.ts";
import { type JobPlaces, patientAfterMs, usualPlaces } from "./job-places.ts";
import { nextJob } from "./next-job.ts";

/** Work on a release that is to be done outside the loop. */
export interface JobRequest {
  /** The object that the work is for; it has one job at a time. */
  readonly key: string;
  /** Whom turns are shared out among: the cluster. */
  readonly group: string;
  readonly action: ReleaseAction;
  readonly fingerprint: string;
  /** Tells this job from an earlier one that was the same. */
  readonly startedAt: string;
  /** After this long it is broken off, whatever it does. */
  readonly limitMs: number;
  readonly run: (call: JobCall) => Promise<void>;
}

/** What a job has at hand. */
export interface JobCall {
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  /** Takes note of the chart's version as soon as it is known. */
  readonly onVersion: (version: string) => void;
}

/** How jobs are run. */
export interface ReleaseJobsOptions {
  /** What fits this machine when absent. */
  readonly places?: JobPlaces | undefined;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  /** Called with the key of an object whose job has moved on. Must not wait. */
  readonly onChange: (key: string) => void;
  /** Called when the numbers of jobs have changed. */
  readonly onCount?: ((count: { readonly running: number; readonly waiting: number }) => void) | undefined;
}

interface Job {
  readonly request: JobRequest;
  readonly stop: AbortController;
  readonly group: string;
  readonly lines: string[];
  state: JobView["state"];
  /** Whether nobody will ask for it any more. */
  isForgotten?: boolean;
  /** Whether it has run for so long that it is likely to wait for something and to take no processor. */
  isPatient?: boolean;
  endedAt?: string;
  version?: string;
  reason?: string;
  message?: string;
}

const keptLines = 20;

/** Runs work on releases beside the loop: a few at a time, fairly, and each only until it is no longer wanted. */
export class ReleaseJobs {
  readonly #options: ReleaseJobsOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #jobs = new Map<string, Job>();
  readonly #ending = new Set<Promise<void>>();
  #served: string[] = [];
  #isClosed = false;

  constructor(options: ReleaseJobsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
  }

  /** Begins a job when its turn has come. Asking again for the same one changes nothing. */
  start(request: JobRequest): void {
    const present = this.#jobs.get(request.key);
    const isSame = present?.request.startedAt === request.startedAt;
    // An object has one job at a time, also when somebody asks who has not seen yet that there is one.
    if (this.#isClosed || isSame || (present !== undefined && isUnfinished(present))) return;
    this.#jobs.set(request.key, {
      request,
      group: request.group,
      stop: new AbortController(),
      lines: [],
      state: "waiting",
    });
    this.#fill();
  }

  /** Stops what is done for an object; that it has ended is told as any change is. */
  cancel(key: string): void {
    const job = this.#jobs.get(key);
    if (job === undefined || !isUnfinished(job) || job.stop.signal.aborted) return;
    job.stop.abort(new Cancelled());
    if (job.state === "waiting") this.#end(job, { state: "cancelled" });
  }

  /** The latest job for an object. */
  of(key: string): JobView | undefined {
    const job = this.#jobs.get(key);
    if (job === undefined) return undefined;
    const { request, stop, state, endedAt, version, reason, message, lines } = job;
    const { action, fingerprint, startedAt } = request;
    const isStopping = stop.signal.aborted && isUnfinished(job);
    const told = { endedAt, version, reason, message, lines: [...lines] };
    return { action, fingerprint, startedAt, state, isStopping, ...told };
  }

  /** Drops what is known of an object that is gone, and stops what is done for it. */
  forget(key: string): void {
    this.cancel(key);
    const job = this.#jobs.get(key);
    if (job === undefined) return;
    if (isUnfinished(job)) job.isForgotten = true;
    else this.#jobs.delete(key);
  }

  /** Stops everything, takes no more and waits until nothing runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const key of this.#jobs.keys()) this.cancel(key);
    await Promise.all(this.#ending);
  }

  #fill(): void {
    const { working, running: most } = this.#options.places ?? usualPlaces;
    const all = [...this.#jobs.values()];
    const waiting = all.filter(({ state }) => state === "waiting");
    const present = all.filter(({ state }) => state === "running");
    const running = present.map(({ group }) => group);
    let atWork = present.filter(({ isPatient }) => isPatient !== true).length;
    while (atWork < working && running.length < most && !this.#isClosed) {
      const job = nextJob({ waiting, running, served: this.#served });
      if (job === undefined) break;
      waiting.splice(waiting.indexOf(job), 1);
      running.push(job.group);
      atWork += 1;
      this.#served = [...this.#served.filter((group) => group !== job.group), job.group].slice(-1_000);
      this.#begin(job);
    }
    this.#options.onCount?.({ running: running.length, waiting: waiting.length });
  }

  #begin(job: Job): void {
    job.state = "running";
    const work = this.#run(job).finally(() => this.#ending.delete(work));
    this.#ending.add(work);
    this.#options.onChange(job.request.key);
  }

  async #run(job: Job): Promise<void> {
    const { request, stop } = job;
    const limit = this.#clock.after(request.limitMs, () => stop.abort(new OutOfTime()));
    const patience = this.#clock.after(patientAfterMs, () => {
      job.isPatient = true;
      this.#fill();
    });
    try {
      await request.run({
        signal: stop.signal,
        onLine: (line) => {
          job.lines.push(line.slice(0, 500));
          if (job.lines.length > keptLines) job.lines.shift();
        },
        onVersion: (version) => (job.version = version),
      });
      this.#end(job, { state: "succeeded" });
    } catch (error) {
      this.#end(job, endingOf(error, stop.signal));
    } finally {
      limit.cancel();
      patience.cancel();
    }
  }

  #end(job: Job, ending: Pick<Job, "state" | "reason" | "message">): void {
    Object.assign(job, ending, { endedAt: this.#clock.now().toISOString() });
    const { key, action } = job.request;
    this.#logger.info("job ended", { object: key, action, outcome: ending.state, reason: ending.reason });
    if (job.isForgotten === true) this.#jobs.delete(key);
    this.#options.onChange(key);
    this.#fill();
  }
}

/** Nobody wants it any more. */
class Cancelled extends Error {
  override readonly name = "Cancelled";
}

class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

function isUnfinished({ state }: Job): boolean {
  return state === "waiting" || state === "running";
}

function endingOf(error: unknown, { reason }: AbortSignal): Pick<Job, "state" | "reason" | "message"> {
  if (reason instanceof Cancelled) return { state: "cancelled", message: "it was stopped before it was done" };
  if (reason instanceof OutOfTime) {
    return { state: "failed", reason: "TimedOut", message: "it took too long and was broken off" };
  }
  const hint = error instanceof ButlerError && error.hint !== undefined ? ` (${error.hint})` : "";
  return { state: "failed", reason: reasonOf(error), message: `${describeError(error)}${hint}`.slice(0, 2_000) };
}

/** Errors of charts and of Helm say in one word what is wrong. */
function reasonOf(error: unknown): string {
  const reason: unknown = error instanceof Error && "reason" in error ? error.reason : undefined;
  return typeof reason === "string" && /^[A-Z][A-Za-z]*$/.test(reason) ? reason : "Failed";
}
