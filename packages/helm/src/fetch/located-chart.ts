import { ChartUnavailable } from "./chart-unavailable.ts";
import type { RepositoryCredentials } from "./credentials.ts";
import type { FetchLimits } from "./limits.ts";
import type { HttpAnswer, Transport } from "./transport.ts";

/** The wanted chart and its repository. */
export interface ChartSource {
  /** https://, http://, oci:// or oci+http://. */
  readonly repository: string;
  readonly name: string;
  /** Exactly this version; undefined for the newest stable one. */
  readonly version: string | undefined;
  readonly credentials?: RepositoryCredentials | undefined;
}

/** A chart with a known location, not downloaded yet. */
export interface LocatedChart {
  readonly version: string;
  /** sha256:..., if listed by the repository. */
  readonly digest: string | undefined;
  /** Digest of the last download, if the repository lists none. */
  readonly lastSeen: string | undefined;
  /** Size in bytes, if listed by the repository. */
  readonly bytes: number | undefined;
  /** Requests the archive. */
  download(signal: AbortSignal): Promise<HttpAnswer>;
  /** Records the digest of the downloaded archive. */
  learn(digest: string): void;
}

/** Dependencies of both kinds of repositories. */
export interface RepositoryTools {
  readonly transport: Transport;
  readonly limits: FetchLimits;
}

/** Rejects an unsupported digest. */
export function requireDigest(digest: string, host: string): string {
  if (/^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  throw new ChartUnavailable("RepositoryInvalid", `${host} lists a chart digest that is not SHA-256`);
}
