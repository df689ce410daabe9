/** The status of a release, as Helm names it. */
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
  /** Helm's description of the revision. */
  readonly description: string;
  readonly firstDeployed: string | undefined;
  readonly lastDeployed: string | undefined;
  readonly chart: ChartMetadata;
  /** The user-supplied values, without the chart's defaults. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The rendered objects, as YAML documents. */
  readonly manifest: string;
}

/** Metadata of a chart. */
export interface ChartMetadata {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string | undefined;
  /** Kubernetes versions that it supports. */
  readonly kubeVersion?: string | undefined;
}

/** Whether a revision is in progress, or was left pending by a client that stopped. */
export function isPending({ status }: Pick<Release, "status">): boolean {
  return status.startsWith("pending-") || status === "uninstalling";
}

/** The newest revision; undefined where there is none. */
export function newestRevision(history: readonly Release[]): Release | undefined {
  return history.toSorted((left, right) => right.revision - left.revision)[0];
}

/** The running revision: the newest deployed one, whatever was tried since. */
export function deployedRevision(history: readonly Release[]): Release | undefined {
  return newestRevision(history.filter(({ status }) => status === "deployed"));
}
