import { rm } from "node:fs/promises";
import { type Clock, systemClock, Unavailable } from "@butler/std";
import { checkArchive } from "./check-archive.ts";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { ContentFolder } from "./content-folder.ts";
import { identityOf } from "./credentials.ts";
import { deadline } from "./deadline.ts";
import { type Network, systemNetwork } from "./guarded-lookup.ts";
import { HttpRepositories } from "./http-repository.ts";
import { defaultFetchLimits, type FetchLimits } from "./limits.ts";
import type { ChartSource, LocatedChart } from "./located-chart.ts";
import { statusFault } from "./network-fault.ts";
import { OciRepositories } from "./oci-repository.ts";
import { saveBody } from "./read-body.ts";
import { parseRepositoryAddress, type RepositoryAddress, requireChartName } from "./repository-address.ts";
import { SharedWork } from "./shared-work.ts";
import { Transport } from "./transport.ts";

/** A validated chart in a file. */
export interface FetchedChart {
  /** Of the .tgz; stays for at least an hour after each fetch that gives it (see `inUseMs`). */
  readonly path: string;
  /** sha256:... */
  readonly digest: string;
  readonly name: string;
  readonly version: string;
  readonly appVersion: string | undefined;
  /** The chart's own constraint on Kubernetes. */
  readonly kubeVersion: string | undefined;
}

export interface ChartStoreOptions {
  /** The cache folder; may be shared with other processes and exist already. */
  readonly folder: string;
  readonly limits?: Partial<FetchLimits> | undefined;
  readonly clock?: Clock | undefined;
  readonly network?: Partial<Network> | undefined;
}

/** Charts from HTTP and OCI repositories, fetched within limits, validated, and cached by content digest. */
export class ChartStore {
  readonly #limits: FetchLimits;
  readonly #clock: Clock;
  readonly #content: ContentFolder;
  readonly #http: HttpRepositories;
  readonly #oci: OciRepositories;
  readonly #fetching = new SharedWork();
  #isClosed = false;

  constructor({ folder, limits, clock = systemClock, network }: ChartStoreOptions) {
    this.#limits = { ...defaultFetchLimits, ...limits };
    this.#clock = clock;
    this.#content = new ContentFolder({ folder, limits: this.#limits, clock });
    const transport = new Transport({ limits: this.#limits, clock, network: { ...systemNetwork, ...network } });
    this.#http = new HttpRepositories({ transport, limits: this.#limits, clock });
    this.#oci = new OciRepositories({ transport, limits: this.#limits });
  }

  /** Fetches a chart, from the folder if cached. Concurrent calls for the same chart share one fetch. */
  async fetch(source: ChartSource, signal: AbortSignal): Promise<FetchedChart> {
    if (this.#isClosed) throw closed();
    const address = parseRepositoryAddress(source.repository);
    const key = identityOf(
      [address.kind, address.url.href, requireChartName(source.name), source.version],
      source.credentials,
    );
    return this.#fetching.run(key, signal, (inner) => this.#fetch(address, source, inner));
  }

  /** Cancels running fetches. Cached charts stay in the folder. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#fetching.stop(closed()), this.#http.stop(closed())]);
  }

  async #fetch(address: RepositoryAddress, source: ChartSource, outer: AbortSignal): Promise<FetchedChart> {
    const { host } = address.url;
    // Reading an index has its own limit, because other callers may be waiting for it as well.
    const fromIndex = address.kind === "http" ? await this.#http.locate(address.url, source, outer) : undefined;
    const limit = deadline(outer, { clock: this.#clock, ms: this.#limits.totalMs, host });
    const { signal } = limit;
    try {
      const located = fromIndex ?? (await this.#oci.locate(address, source, signal));
      const job = { located, expected: { name: source.name, version: located.version, host }, signal };
      return (await this.#kept(job)) ?? (await this.#downloaded(job));
    } finally {
      limit.done();
    }
  }

  /** The cached chart, if its digest is known. */
  async #kept({ located, expected, signal }: Job): Promise<FetchedChart | undefined> {
    const digest = located.digest ?? located.lastSeen;
    const path = digest === undefined ? undefined : await this.#content.find(digest);
    if (digest === undefined || path === undefined) return undefined;
    return { path, digest, ...(await checkArchive(path, expected, { limits: this.#limits, signal })) };
  }

  async #downloaded({ located, expected, signal }: Job): Promise<FetchedChart> {
    const path = await this.#content.newPath();
    try {
      const digest = await this.#save({ located, expected, signal }, path);
      const facts = await checkArchive(path, expected, { limits: this.#limits, signal });
      const place = await this.#content.adopt(path, digest);
      located.learn(digest);
      return { path: place, digest, ...facts };
    } finally {
      await rm(path, { force: true });
    }
  }

  async #save({ located, expected: { name, version, host }, signal }: Job, path: string): Promise<string> {
    const answer = await located.download(signal);
    const fault = statusFault(answer.status, host);
    if (fault !== undefined) {
      answer.discard();
      if (answer.status !== 404 && answer.status !== 410) throw fault;
      throw new ChartUnavailable("VersionNotFound", `${host} lists ${name} ${version} but its archive was not found`, {
        hint: "Use another version, or ask the repository administrator to restore the archive.",
      });
    }
    const { archiveBytes } = this.#limits;
    const { digest, bytes } = await saveBody(answer, path, { host, what: "the chart's archive", bytes: archiveBytes });
    const isWrong = (located.digest ?? digest) !== digest || (located.bytes ?? bytes) !== bytes;
    if (!isWrong) return digest;
    throw new ChartUnavailable(
      "RepositoryInvalid",
      `the archive of ${name} ${version} from ${host} does not match its entry in the repository`,
      {
        hint: "The archive's digest or size differs from the values in the repository: the archive was damaged in transit or replaced.",
      },
    );
  }
}

interface Job {
  readonly located: LocatedChart;
  readonly expected: { readonly name: string; readonly version: string; readonly host: string };
  readonly signal: AbortSignal;
}

function closed(): Unavailable {
  return new Unavailable("the chart store is closed", { hint: "The process is shutting down; restart it." });
}
