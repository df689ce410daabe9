/** How much a repository may take of us: time, bytes and detours. */
export interface FetchLimits {
  /** Name resolution, connecting and TLS together. */
  readonly connectMs: number;
  /** From the request to the headers of its answer. */
  readonly headersMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  /** The reading of an index, and once more all the rest of a fetch. */
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
  /** How long an index is taken as read without asking the repository whether it has changed. */
  readonly indexFreshMs: number;
  /** What indexes that are kept in memory may take together. */
  readonly keptIndexBytes: number;
  /** Beyond this the folder forgets the charts that were not used for longest. */
  readonly storeBytes: number;
  /** For so long after a fetch its chart is in use and stays, whatever the size of the folder. */
  readonly inUseMs: number;
}

const mebibyte = 1024 * 1024;

/** Generous for every real repository, and small for a machine. */
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
