/** Limits for repositories: time, bytes and redirects. */
export interface FetchLimits {
  /** Name resolution, connecting and TLS together. */
  readonly connectMs: number;
  /** From the request to the response headers. */
  readonly headersMs: number;
  /** Between two chunks of a response. */
  readonly idleMs: number;
  /** For reading an index, and again for the rest of a fetch. */
  readonly totalMs: number;
  readonly redirects: number;
  readonly indexBytes: number;
  /** Of manifests, lists of tags and tokens. */
  readonly manifestBytes: number;
  readonly archiveBytes: number;
  readonly unpackedBytes: number;
  readonly archiveEntries: number;
  /** How many times its packed size an archive may unpack to, once it is larger than a mebibyte. */
  readonly unpackRatio: number;
  /** How long an index is used without revalidation. */
  readonly indexFreshMs: number;
  /** Limit of all indexes in memory. */
  readonly keptIndexBytes: number;
  /** Size limit of the folder; the least recently used charts are evicted. */
  readonly storeBytes: number;
  /** How long a chart counts as in use after a fetch, and is not evicted. */
  readonly inUseMs: number;
}

const mebibyte = 1024 * 1024;

/** Generous for real repositories, and small for a machine. */
export const defaultFetchLimits: FetchLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 20_000,
  totalMs: 120_000,
  redirects: 5,
  indexBytes: 64 * mebibyte,
  manifestBytes: 4 * mebibyte,
  archiveBytes: 32 * mebibyte,
  unpackedBytes: 256 * mebibyte,
  archiveEntries: 20_000,
  unpackRatio: 200,
  indexFreshMs: 60_000,
  keptIndexBytes: 128 * mebibyte,
  storeBytes: 1024 * mebibyte,
  inUseMs: 3_600_000,
};
