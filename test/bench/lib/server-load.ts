import { Pool } from "undici";
import { quantile } from "./report.ts";

/** Target and headers of requests. */
export interface LoadTarget {
  readonly origin: string;
  readonly ca: string;
  /** A client certificate, if it identifies the user. */
  readonly cert?: string;
  readonly key?: string;
  readonly headers: () => Record<string, string>;
}

/** A response of which only the ends are checked: the measurement must cost less than the server. */
export interface Answer {
  readonly bytes: number;
  readonly chunks: readonly Buffer[];
}

/** Result of a round of requests. */
export interface LoadResult {
  /** Repetitions per second. */
  readonly rate: number;
  /** Number of repetitions, including the warm-up. */
  readonly asked: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytesPerSecond: number;
}

/** One operation of one or more requests; returns the received bytes. */
export type Ask = (load: Load) => Promise<number>;

const warmUpMs = 500;

/** Keeps a number of connections, with one request at a time on each. */
export class Load {
  readonly #pool: Pool;
  readonly #target: LoadTarget;

  constructor(target: LoadTarget, connections: number) {
    const { origin, ca, cert, key } = target;
    const identity = cert === undefined || key === undefined ? {} : { cert, key };
    this.#target = target;
    this.#pool = new Pool(origin, { connections, pipelining: 1, connect: { ca, ...identity, allowH2: false } });
  }

  /** Sends one request; throws unless it succeeds. */
  get(path: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      let status = 0;
      this.#pool.dispatch(
        { path, method: "GET", headers: this.#target.headers() },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, code) => {
            status = code;
          },
          onResponseData: (_controller, chunk) => {
            bytes += chunk.length;
            chunks.push(chunk);
          },
          onResponseEnd: () => {
            if (status === 200) return resolve({ bytes, chunks });
            reject(new Error(`${path} was answered with ${status}: ${Buffer.concat(chunks).toString().slice(0, 300)}`));
          },
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
  }

  async json(path: string): Promise<Record<string, unknown>> {
    const { chunks } = await this.get(path);
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Sends requests continuously, on every connection. */
export async function measureLoad(
  target: LoadTarget,
  ask: Ask,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<LoadResult> {
  const load = new Load(target, connections);
  try {
    const times: number[] = [];
    let [bytes, asked] = [0, 0];
    const until = async (deadline: number, isCounted: boolean): Promise<void> => {
      while (performance.now() < deadline) {
        const beganAt = performance.now();
        const got = await ask(load);
        asked++;
        if (!isCounted) continue;
        times.push(performance.now() - beganAt);
        bytes += got;
      }
    };
    const onAll = (deadline: number, isCounted: boolean): Promise<unknown> =>
      Promise.all(Array.from({ length: connections }, () => until(deadline, isCounted)));
    await onAll(performance.now() + warmUpMs, false);
    const beganAt = performance.now();
    await onAll(beganAt + seconds * 1_000, true);
    const tookSeconds = (performance.now() - beganAt) / 1_000;
    return {
      rate: times.length / tookSeconds,
      asked,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
      bytesPerSecond: bytes / tookSeconds,
    };
  } finally {
    await load.close();
  }
}
