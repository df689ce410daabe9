/** The cluster for helm: a kubeconfig as text, possibly untrusted, or a file of the local user. */
export type HelmTarget =
  | {
      /** Inline data only: a kubeconfig that runs a program, reads a file or skips verification is rejected. */
      readonly kubeconfig: string;
    }
  | {
      /** Used as it is, with this process's environment, as programs that give out credentials need it. */
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

/** A release as it is to be. */
export interface ReleaseRequest extends ReleaseName {
  readonly createNamespace: boolean;
  /** The absolute path of a packaged chart or of a chart's folder. */
  readonly chart: string;
  /** All that differs from the chart's own values; nothing of an earlier revision is kept. */
  readonly values: Readonly<Record<string, unknown>>;
  /** How long each hook may take; all of it ends a little later at the latest. */
  readonly timeoutMs: number;
  /** Put on the Secret of the revision. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** How many revisions are kept. */
  readonly historyMax?: number | undefined;
  /** Takes objects over that are there already and not part of the release; otherwise that is an error. */
  readonly takeOwnership?: boolean | undefined;
  /** Waits until the objects are ready, not for hooks alone. */
  readonly waitUntilReady?: boolean | undefined;
  /** Asks the API server and changes nothing. */
  readonly isDryRun?: boolean | undefined;
}

/** A return to an earlier revision; it becomes a new revision. */
export interface RollbackRequest extends ReleaseName {
  readonly revision: number;
  readonly timeoutMs: number;
  /** Helm gives the new revision the labels of the old one, so that these are named in its description instead. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly historyMax?: number | undefined;
}

/** The end of a release. */
export interface UninstallRequest extends ReleaseName {
  readonly timeoutMs: number;
}

/** A chart to be rendered without a cluster. */
export interface TemplateRequest extends Omit<ReleaseRequest, "timeoutMs"> {
  readonly kubeVersion?: string | undefined;
  readonly apiVersions?: readonly string[] | undefined;
}
