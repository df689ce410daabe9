import { isAbsolute } from "node:path";
import { InvalidInput } from "@butler/std";
import type { ReleaseName, ReleaseRequest, RollbackRequest, TemplateRequest, UninstallRequest } from "./requests.ts";

/** The files of a run that are passed to helm. */
export interface RunFiles {
  readonly kubeconfig: string;
  readonly values: string;
}

const defaultHistoryMax = 10;

/** Helm's own rule: names and labels of objects are derived from it. */
const releaseName = /^[a-z0-9]([-a-z0-9.]{0,51}[a-z0-9])?$/;
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const labelKey = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const longestDescription = 256;

/**
 * Arguments of helm to install or upgrade a release. Uses server-side apply and takes over fields that others changed: the
 * chart defines its objects, and manual changes must not block the next version.
 */
export function upgradeArguments(request: ReleaseRequest, files: RunFiles): string[] {
  return [
    "upgrade",
    "--install",
    ...positional(request, chartPath(request.chart)),
    ...place(request, files),
    ...(request.createNamespace ? ["--create-namespace"] : []),
    // Only the values of the file, none of earlier revisions, so that the call is idempotent.
    "--reset-values",
    `--values=${files.values}`,
    ...writing(request),
    ...(request.takeOwnership === true ? ["--take-ownership"] : []),
    ...labelFlags(request.labels),
    ...(request.isDryRun === true ? ["--dry-run=server"] : []),
    ...waiting(request, request.waitUntilReady === true && request.isDryRun !== true ? "watcher" : "hookOnly"),
  ];
}

/** Arguments of helm to roll back to a revision. */
export function rollbackArguments(request: RollbackRequest, files: RunFiles): string[] {
  const { revision, labels = {} } = request;
  if (!Number.isSafeInteger(revision) || revision < 1) throw new InvalidInput(`invalid revision ${revision}`);
  const named = checkedLabels(labels).join(", ");
  const description = `Rollback to ${revision}${named === "" ? "" : ` (${named})`}`;
  return [
    "rollback",
    ...positional(request, String(revision)),
    ...place(request, files),
    ...writing(request),
    `--description=${description.slice(0, longestDescription)}`,
    ...waiting(request, "hookOnly"),
  ];
}

/**
 * Arguments of helm to uninstall a release. Without `--ignore-not-found`, which treats every error of reading the release,
 * such as a missing permission, as not found.
 */
export function uninstallArguments(request: UninstallRequest, files: RunFiles): string[] {
  return ["uninstall", ...positional(request), ...place(request, files), ...waiting(request, "hookOnly")];
}

/** Arguments of helm to render a chart like the manifest of a release: without hooks and `crds/`. */
export function templateArguments(request: TemplateRequest, files: Pick<RunFiles, "values">): string[] {
  const { kubeVersion, apiVersions = [] } = request;
  return [
    "template",
    ...positional(request, chartPath(request.chart)),
    `--namespace=${request.namespace}`,
    `--values=${files.values}`,
    "--no-hooks",
    ...(kubeVersion === undefined ? [] : [`--kube-version=${kubeVersion}`]),
    ...apiVersions.map((version) => `--api-versions=${version}`),
  ];
}

function positional({ release, namespace }: ReleaseName, ...further: readonly string[]): string[] {
  if (!releaseName.test(release)) {
    throw new InvalidInput(`"${release}" is not a valid release name`, {
      hint: "Use at most 53 lowercase letters, digits and dashes.",
    });
  }
  if (!namespaceName.test(namespace)) throw new InvalidInput(`"${namespace}" is not a valid namespace`);
  return [release, ...further];
}

/** Requires an absolute path: helm would otherwise search the chart elsewhere. */
function chartPath(path: string): string {
  if (isAbsolute(path)) return path;
  throw new InvalidInput(`"${path}" is not an absolute path to a chart`);
}

function place({ namespace }: ReleaseName, { kubeconfig }: RunFiles): string[] {
  return [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`];
}

function writing({ historyMax = defaultHistoryMax }: { readonly historyMax?: number | undefined }): string[] {
  return ["--server-side=true", "--force-conflicts", `--history-max=${historyMax}`];
}

function waiting({ timeoutMs }: { readonly timeoutMs: number }, strategy: "hookOnly" | "watcher"): string[] {
  const seconds = Math.max(1, Math.ceil(timeoutMs / 1_000));
  // Only with --debug helm reports its progress, and why a deletion failed.
  return [`--wait=${strategy}`, `--timeout=${seconds}s`, "--debug"];
}

function labelFlags(labels: Readonly<Record<string, string>> = {}): string[] {
  const checked = checkedLabels(labels);
  return checked.length === 0 ? [] : [`--labels=${checked.join(",")}`];
}

function checkedLabels(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([key, value]) => {
    // Helm removes a label with the value "null".
    const isGood = labelKey.test(key) && labelValue.test(value) && value !== "null";
    if (!isGood) throw new InvalidInput(`"${key}=${value}" is not a valid release label`);
    return `${key}=${value}`;
  });
}
