/** The cluster for helm: a kubeconfig as text, possibly untrusted, or a file of the local user. */
export type HelmTarget =
  | {
      /** Inline data only: a kubeconfig that runs a program, reads a file or skips verification is rejected. */
      readonly kubeconfig: string;
    }
  | {
      /** Used as is, with the environment of this process, which credential plug-ins need. */
      readonly kubeconfigFile: string;
    };

/** Target, cancellation and output of a call; output lines are redacted. */
export interface HelmCall {
  readonly target: HelmTarget;
  readonly signal: AbortSignal;
  readonly onLine?: ((line: string) => void) | undefined;
}

/** A release by its name. */
export interface ReleaseName {
  readonly release: string;
  readonly namespace: string;
}

/** The desired state of a release. */
export interface ReleaseRequest extends ReleaseName {
  readonly createNamespace: boolean;
  /** The absolute path of a packaged chart or of a chart's folder. */
  readonly chart: string;
  /** Values that override the chart's; values of earlier revisions are not kept. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Timeout of each hook; the whole run ends no later than shortly after it. */
  readonly timeoutMs: number;
  /** Labels of the revision's Secret. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Number of revisions to keep. */
  readonly historyMax?: number | undefined;
  /** Whether to adopt existing objects that are not part of the release; otherwise they are an error. */
  readonly takeOwnership?: boolean | undefined;
  /** Whether to wait until the objects are ready, not only for hooks. */
  readonly waitUntilReady?: boolean | undefined;
  /** Whether to validate on the API server without changing anything. */
  readonly isDryRun?: boolean | undefined;
}

/** A rollback to an earlier revision, which creates a new revision. */
export interface RollbackRequest extends ReleaseName {
  readonly revision: number;
  readonly timeoutMs: number;
  /** Helm copies the labels of the old revision, so these are recorded in the description instead. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly historyMax?: number | undefined;
}

/** An uninstall. */
export interface UninstallRequest extends ReleaseName {
  readonly timeoutMs: number;
}

/** A chart to be rendered without a cluster. */
export interface TemplateRequest extends Omit<ReleaseRequest, "timeoutMs"> {
  readonly kubeVersion?: string | undefined;
  readonly apiVersions?: readonly string[] | undefined;
}
