import type { Clock } from "@butler/std";
import type { Reach } from "@butler/std/outgoing";
import { ask } from "./ask.ts";
import { type ChartIndex, entriesOf, type IndexEntry, scanIndex } from "./chart-index.ts";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { basicAuthorization, identityOf } from "./credentials.ts";
import { deadline } from "./deadline.ts";
import { type ChartSource, type LocatedChart, type RepositoryTools, requireDigest } from "./located-chart.ts";
import { statusFault } from "./network-fault.ts";
import { readBody } from "./read-body.ts";
import { SharedWork } from "./shared-work.ts";
import type { HttpAnswer } from "./transport.ts";
import { chooseVersion } from "./version-choice.ts";

/** A cached index with its validators for conditional requests. */
interface KeptIndex {
  readonly index: ChartIndex;
  readonly reach: Reach;
  readonly validators: Readonly<Record<string, string>>;
  readonly readMs: number;
  /** Digests of downloaded archives that the index does not list, by address. */
  readonly learned: Map<string, string>;
}

/** Repositories with an index.yaml. Each index is read at intervals, however many charts are fetched from it. */
export class HttpRepositories {
  readonly #tools: RepositoryTools & { readonly clock: Clock };
  readonly #kept = new Map<string, KeptIndex>();
  readonly #reading = new SharedWork();

  constructor(tools: RepositoryTools & { readonly clock: Clock }) {
    this.#tools = tools;
  }

  /** Finds a chart in the index of its repository. */
  async locate(base: URL, source: ChartSource, signal: AbortSignal): Promise<LocatedChart> {
    const startedMs = this.#tools.clock.monotonicMs();
    const freshSinceMs = startedMs - this.#tools.limits.indexFreshMs;
    const kept = await this.#indexOf(base, source, { freshSinceMs, signal });
    try {
      return this.#located(base, source, { kept, entry: await chooseFrom(kept.index, source, signal) });
    } catch (error) {
      const isOld = kept.readMs < startedMs;
      if (!isOld || !(error instanceof ChartUnavailable) || !error.reason.endsWith("NotFound")) throw error;
    }
    // It may have been added since the index was read.
    const newer = await this.#indexOf(base, source, { freshSinceMs: startedMs, signal });
    return this.#located(base, source, { kept: newer, entry: await chooseFrom(newer.index, source, signal) });
  }

  /** Cancels running reads. */
  async stop(reason: Error): Promise<void> {
    await this.#reading.stop(reason);
  }

  #located(base: URL, source: ChartSource, found: { kept: KeptIndex; entry: IndexEntry }): LocatedChart {
    const { kept, entry } = found;
    const { transport, limits } = this.#tools;
    const written = entry.urls[0] ?? "";
    if (written === "" || !URL.canParse(written, indexUrlOf(base).href)) {
      const what = `lists ${source.name} ${entry.version} without a valid URL`;
      throw new ChartUnavailable("RepositoryInvalid", `${base.host} ${what}`);
    }
    const url = new URL(written, indexUrlOf(base));
    const question = {
      repository: base,
      url,
      purpose: "archive",
      isDigestKnown: entry.digest !== undefined,
      authorization: basicAuthorization(source.credentials),
      headers: { "accept-encoding": "identity" },
      ca: source.credentials?.ca,
      floor: kept.reach,
    } as const;
    return {
      version: entry.version,
      digest: entry.digest === undefined ? undefined : requireDigest(entry.digest, base.host),
      lastSeen: kept.learned.get(url.href),
      bytes: undefined,
      download: (signal) => ask(transport, question, { redirects: limits.redirects, signal }),
      learn: (digest) => void kept.learned.set(url.href, digest),
    };
  }

  async #indexOf(
    base: URL,
    source: ChartSource,
    { freshSinceMs, signal }: { readonly freshSinceMs: number; readonly signal: AbortSignal },
  ): Promise<KeptIndex> {
    const key = identityOf([base.href], source.credentials);
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.readMs >= freshSinceMs) return kept;
    return this.#reading.run(key, signal, async (inner) => {
      const { clock, limits } = this.#tools;
      const limit = deadline(inner, { clock, ms: limits.totalMs, host: base.host });
      try {
        const read = await this.#read(base, source, { kept, signal: limit.signal });
        this.#keep(key, read);
        return read;
      } finally {
        limit.done();
      }
    });
  }

  async #read(
    base: URL,
    { credentials }: ChartSource,
    { kept, signal }: { readonly kept: KeptIndex | undefined; readonly signal: AbortSignal },
  ): Promise<KeptIndex> {
    const { transport, limits, clock } = this.#tools;
    const { host } = base;
    const readMs = clock.monotonicMs();
    const question = {
      repository: base,
      url: indexUrlOf(base),
      purpose: "metadata",
      authorization: basicAuthorization(credentials),
      headers: { "accept-encoding": "gzip, identity", ...kept?.validators },
      ca: credentials?.ca,
    } as const;
    const answer = await ask(transport, question, { redirects: limits.redirects, signal });
    if (answer.status === 304 && kept !== undefined) {
      answer.discard();
      return { ...kept, readMs };
    }
    const fault = faultOfIndex(answer, host);
    if (fault !== undefined) {
      answer.discard();
      throw fault;
    }
    const bytes = await readBody(answer, { host, what: "the index.yaml", bytes: limits.indexBytes });
    const index = await scanIndex(bytes, host, signal);
    return { index, reach: answer.reach, validators: validatorsOf(answer), readMs, learned: new Map() };
  }

  /** Keeps the most recently read indexes, within the limit. */
  #keep(key: string, kept: KeptIndex): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    let bytes = [...this.#kept.values()].reduce((sum, { index }) => sum + index.bytes.length, 0);
    for (const [oldest, { index }] of this.#kept) {
      if (bytes <= this.#tools.limits.keptIndexBytes && this.#kept.size <= 200) return;
      this.#kept.delete(oldest);
      bytes -= index.bytes.length;
    }
  }
}

async function chooseFrom(index: ChartIndex, { name, version }: ChartSource, signal: AbortSignal): Promise<IndexEntry> {
  const { host } = index;
  if (!index.charts.has(name)) {
    throw new ChartUnavailable("ChartNotFound", `${host} has no chart ${name}`, {
      hint: "Check the chart name and the repository URL.",
    });
  }
  const mentioned = version === undefined ? [] : await entriesOf(index, { name, version, signal });
  if (version !== undefined && mentioned.length > 0) {
    const same = mentioned.filter((entry) => entry.version.replace(/^v/, "") === version.replace(/^v/, ""));
    if (same.length > 0) return chooseVersion(same, { host, name, version });
  }
  return chooseVersion(await entriesOf(index, { name, signal }), { host, name, version });
}

function faultOfIndex(answer: HttpAnswer, host: string): ChartUnavailable | undefined {
  if (answer.status === 404 || answer.status === 410) {
    return new ChartUnavailable("RepositoryInvalid", `${host} has no index.yaml at the repository URL`, {
      hint: "Check the URL path: index.yaml must be directly below it. Use oci:// for a registry.",
    });
  }
  return statusFault(answer.status, host);
}

function validatorsOf({ headers }: HttpAnswer): Record<string, string> {
  const modified = headers["last-modified"];
  return {
    ...(headers.etag === undefined ? {} : { "if-none-match": headers.etag }),
    ...(modified === undefined ? {} : { "if-modified-since": modified }),
  };
}

function indexUrlOf(base: URL): URL {
  return new URL(`${base.href.replace(/\/+$/, "")}/index.yaml`);
}
