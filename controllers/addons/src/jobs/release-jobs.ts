import { ButlerError, type Clock, describeError, systemClock } from "@butler/std";
import { type Logger, silentLogger } from "@butler/telemetry";
import type { JobQueue, JobView, ReleaseAction } from "../release/situation.ts";
import { type JobPlaces, patientAfterMs, usualPlaces } from "./job-places.ts";
import { fullPlaces, type JobShare, nextJob } from "./next-job.ts";

/** Work on a release outside the reconcile loop. */
export interface JobRequest {
  /** The object that the work is for; it has one job at a time. */
  readonly key: string;
  /** Jobs are scheduled fairly among teams, and among the clusters of a team. */
  readonly share: JobShare;
  readonly action: ReleaseAction;
  readonly fingerprint: string;
  /** Distinguishes this job from an earlier one with the same content. */
  readonly startedAt: string;
  /** The timeout of the release. */
  readonly timeoutMs?: number | undefined;
  /** After this long it is canceled. */
  readonly limitMs: number;
  readonly run: (call: JobCall) => Promise<void>;
}

/** The context of a job. */
export interface JobCall {
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  /** Records the chart's version as soon as it is known. */
  readonly onVersion: (version: string) => void;
}

/** Options for running jobs. */
export interface ReleaseJobsOptions {
  /** Defaults to what fits this machine. */
  readonly places?: JobPlaces | undefined;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  /** Called with the key of an object whose job has changed. Must not block. */
  readonly onChange: (key: string) => void;
  /** Called when the numbers of jobs have changed. */
  readonly onCount?: ((count: { readonly running: number; readonly waiting: number }) => void) | undefined;
  /** Called when a job starts, with the time it has waited. */
  readonly onStart?: ((share: JobShare, waitedMs: number) => void) | undefined;
}

interface Job extends JobShare {
  readonly request: JobRequest;
  readonly stop: AbortController;
  readonly queuedAtMs: number;
  readonly lines: string[];
  state: JobView["state"];
  /** Whether its object was deleted. */
  isForgotten?: boolean;
  /** Whether it has run for so long that it is probably waiting and using no CPU. */
  isPatient?: boolean;
  endedAt?: string;
  version?: string;
  reason?: string;
  message?: string;
}

const keptLines = 20;

/** Runs work on releases outside the reconcile loop: a few at a time, fairly, until canceled. */
export class ReleaseJobs {
  readonly #options: ReleaseJobsOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #jobs = new Map<string, Job>();
  readonly #ending = new Set<Promise<void>>();
  #served: JobShare[] = [];
  #isClosed = false;

  constructor(options: ReleaseJobsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
  }

  /** Starts a job when it is its turn. Starting the same job again has no effect. */
  start(request: JobRequest): void {
    const present = this.#jobs.get(request.key);
    const isSame = present?.request.startedAt === request.startedAt;
    // An object has one job at a time, even if the caller has not observed the running one yet.
    if (this.#isClosed || isSame || (present !== undefined && isUnfinished(present))) return;
    this.#jobs.set(request.key, {
      ...request.share,
      request,
      queuedAtMs: this.#clock.monotonicMs(),
      stop: new AbortController(),
      lines: [],
      state: "waiting",
    });
    this.#fill();
  }

  /** Cancels the job of an object; its end is reported like any other change. */
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
    const { action, fingerprint, startedAt, timeoutMs } = request;
    const isStopping = stop.signal.aborted && isUnfinished(job);
    const queue = state === "waiting" ? this.#queueOf(job) : undefined;
    const told = { endedAt, version, reason, message, timeoutMs, queue, lines: [...lines] };
    return { action, fingerprint, startedAt, state, isStopping, ...told };
  }

  /** Forgets a deleted object and cancels its job. */
  forget(key: string): void {
    this.cancel(key);
    const job = this.#jobs.get(key);
    if (job === undefined) return;
    if (isUnfinished(job)) job.isForgotten = true;
    else this.#jobs.delete(key);
  }

  /** Cancels all jobs, accepts no more and waits until none runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const key of this.#jobs.keys()) this.cancel(key);
    await Promise.all(this.#ending);
  }

  get #places(): JobPlaces {
    return this.#options.places ?? usualPlaces;
  }

  #queueOf({ request, team, group, isReserved }: Job): JobQueue {
    const all = [...this.#jobs.values()];
    const ofTeam = all.filter((job) => job.state === "waiting" && job.team === team);
    const running = all.filter(({ state }) => state === "running");
    const full = fullPlaces({ team, group, isReserved }, running, this.#places);
    const position = ofTeam.findIndex((job) => job.request === request) + 1;
    return { team, position, waiting: ofTeam.length, full };
  }

  #fill(): void {
    const { working } = this.#places;
    const all = [...this.#jobs.values()];
    const waiting = all.filter(({ state }) => state === "waiting");
    const present = all.filter(({ state }) => state === "running");
    const running: JobShare[] = [...present];
    let atWork = present.filter(({ isPatient }) => isPatient !== true).length;
    while (atWork < working && !this.#isClosed) {
      const job = nextJob({ waiting, running, served: this.#served, places: this.#places });
      if (job === undefined) break;
      waiting.splice(waiting.indexOf(job), 1);
      running.push(job);
      atWork += 1;
      this.#noteServed(job);
      this.#begin(job);
    }
    this.#options.onCount?.({ running: running.length, waiting: waiting.length });
  }

  /** Only the last turn of each cluster matters. */
  #noteServed({ team, group, isReserved }: Job): void {
    const others = this.#served.filter((share) => share.group !== group || share.team !== team);
    this.#served = [...others, { team, group, isReserved }].slice(-1_000);
  }

  #begin(job: Job): void {
    job.state = "running";
    this.#options.onStart?.(job, this.#clock.monotonicMs() - job.queuedAtMs);
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

/** The job is no longer wanted. */
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
  if (reason instanceof Cancelled) return { state: "cancelled", message: "canceled before it finished" };
  if (reason instanceof OutOfTime) {
    return { state: "failed", reason: "TimedOut", message: "timed out and was canceled" };
  }
  const hint = error instanceof ButlerError && error.hint !== undefined ? ` (${error.hint})` : "";
  return { state: "failed", reason: reasonOf(error), message: `${describeError(error)}${hint}`.slice(0, 2_000) };
}

/** Errors of charts and of Helm have a CamelCase reason. */
function reasonOf(error: unknown): string {
  const reason: unknown = error instanceof Error && "reason" in error ? error.reason : undefined;
  return typeof reason === "string" && /^[A-Z][A-Za-z]*$/.test(reason) ? reason : "Failed";
}
