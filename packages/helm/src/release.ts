/** Where a release is in its life, in Helm's own words. */
export type ReleaseStatus =
  | "unknown"
  | "deployed"
  | "superseded"
  | "failed"
  | "uninstalling"
  | "uninstalled"
  | "pending-install"
  | "pending-upgrade"
  | "pending-rollback";

/** One revision of a release, as Helm keeps it in a Secret. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly status: ReleaseStatus;
  /** What Helm says of how the revision came about. */
  readonly description: string;
  readonly firstDeployed: string | undefined;
  readonly lastDeployed: string | undefined;
  readonly chart: ChartMetadata;
  /** The values that were given, without the chart's own. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What the chart made, as YAML documents. */
  readonly manifest: string;
}

/** What a chart says of itself. */
export interface ChartMetadata {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string | undefined;
  /** Kubernetes versions that it says it works with. */
  readonly kubeVersion?: string | undefined;
}

/** Whether a revision is being made or changed, or was when whoever did it went away. */
export function isPending({ status }: Pick<Release, "status">): boolean {
  return status.startsWith("pending-") || status === "uninstalling";
}

/** The newest revision; undefined where there is none. */
export function newestRevision(history: readonly Release[]): Release | undefined {
  return history.toSorted((left, right) => right.revision - left.revision)[0];
}

/** The revision that runs: the newest that was deployed, whatever was tried since. */
export function deployedRevision(history: readonly Release[]): Release | undefined {
  return newestRevision(history.filter(({ status }) => status === "deployed"));
}
