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

/** A chart that has been checked and lies in a file. */
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
  /** Where charts are kept; may be shared with other processes and be there from before. */
  readonly folder: string;
  readonly limits?: Partial<FetchLimits> | undefined;
  readonly clock?: Clock | undefined;
  readonly network?: Partial<Network> | undefined;
}

/** Charts from HTTP and OCI repositories, fetched within limits, checked, and kept by the digest of their content. */
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

  /** Brings a chart, from the folder if it is there. Those who want the same at the same time share one fetch. */
  async fetch(source: ChartSource, signal: AbortSignal): Promise<FetchedChart> {
    if (this.#isClosed) throw closed();
    const address = parseRepositoryAddress(source.repository);
    const key = identityOf(
      [address.kind, address.url.href, requireChartName(source.name), source.version],
      source.credentials,
    );
    return this.#fetching.run(key, signal, (inner) => this.#fetch(address, source, inner));
  }

  /** Breaks off what is under way. What is in the folder stays there. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#fetching.stop(closed()), this.#http.stop(closed())]);
  }

  async #fetch(address: RepositoryAddress, source: ChartSource, outer: AbortSignal): Promise<FetchedChart> {
    const { host } = address.url;
    // The reading of an index has a limit of its own, because others may be waiting for it as well.
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

  /** The chart from the folder, if its digest is known and it is there. */
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
      throw new ChartUnavailable("VersionNotFound", `${host} lists ${name} ${version} but its archive is not there`, {
        hint: "Use another version, or ask whoever runs the repository to put the archive back.",
      });
    }
    const { archiveBytes } = this.#limits;
    const { digest, bytes } = await saveBody(answer, path, { host, what: "the chart's archive", bytes: archiveBytes });
    const isWrong = (located.digest ?? digest) !== digest || (located.bytes ?? bytes) !== bytes;
    if (!isWrong) return digest;
    throw new ChartUnavailable(
      "RepositoryInvalid",
      `the archive of ${name} ${version} from ${host} is not the one listed`,
      {
        hint: "Its digest differs from the one that the repository gives: it was damaged on the way, or exchanged.",
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
  return new Unavailable("the store of charts is closed", { hint: "The process is ending; start it again." });
}
