import { ChartUnavailable } from "./chart-unavailable.ts";
import type { RepositoryCredentials } from "./credentials.ts";
import type { FetchLimits } from "./limits.ts";
import type { HttpAnswer, Transport } from "./transport.ts";

/** Which chart is wanted, and from where. */
export interface ChartSource {
  /** https://, http://, oci:// or oci+http://. */
  readonly repository: string;
  readonly name: string;
  /** Exactly this version; undefined for the newest stable one. */
  readonly version: string | undefined;
  readonly credentials?: RepositoryCredentials | undefined;
}

/** A chart whose place is known; nothing of it has been read yet. */
export interface LocatedChart {
  readonly version: string;
  /** sha256:..., when the repository has said it. */
  readonly digest: string | undefined;
  /** What the archive was when it was last read, where the repository does not say what it is. */
  readonly lastSeen: string | undefined;
  /** How many bytes the repository says it has. */
  readonly bytes: number | undefined;
  /** Asks for the archive. */
  download(signal: AbortSignal): Promise<HttpAnswer>;
  /** Takes note of what the archive turned out to be. */
  learn(digest: string): void;
}

/** What both kinds of repositories stand on. */
export interface RepositoryTools {
  readonly transport: Transport;
  readonly limits: FetchLimits;
}

/** Refuses a digest that cannot be checked. */
export function requireDigest(digest: string, host: string): string {
  if (/^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  throw new ChartUnavailable("RepositoryInvalid", `${host} gives a digest for a chart that is not one of SHA-256`);
}
