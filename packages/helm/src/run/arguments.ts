import { isAbsolute } from "node:path";
import { InvalidInput } from "@butler/std";
import type { ReleaseName, ReleaseRequest, RollbackRequest, TemplateRequest, UninstallRequest } from "./requests.ts";

/** The files of a run that a command line names. */
export interface RunFiles {
  readonly kubeconfig: string;
  readonly values: string;
}

const defaultHistoryMax = 10;

/** Helm's own rule: names of objects are made of it, and they end up in labels. */
const releaseName = /^[a-z0-9]([-a-z0-9.]{0,51}[a-z0-9])?$/;
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const labelKey = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const longestDescription = 256;

/**
 * What helm is called with to install a release or bring it up to date. It writes by server-side apply and takes fields
 * over that others have changed: a chart says what its objects are, and one that somebody has touched by hand must not
 * keep the next version out.
 */
export function upgradeArguments(request: ReleaseRequest, files: RunFiles): string[] {
  return [
    "upgrade",
    "--install",
    ...positional(request, chartPath(request.chart)),
    ...place(request, files),
    ...(request.createNamespace ? ["--create-namespace"] : []),
    // What is in the file and nothing of an earlier revision, so that the same call always gives the same.
    "--reset-values",
    `--values=${files.values}`,
    ...writing(request),
    ...(request.takeOwnership === true ? ["--take-ownership"] : []),
    ...labelFlags(request.labels),
    ...(request.isDryRun === true ? ["--dry-run=server"] : []),
    ...waiting(request, request.waitUntilReady === true && request.isDryRun !== true ? "watcher" : "hookOnly"),
  ];
}

/** What helm is called with to return to a revision. */
export function rollbackArguments(request: RollbackRequest, files: RunFiles): string[] {
  const { revision, labels = {} } = request;
  if (!Number.isSafeInteger(revision) || revision < 1) throw new InvalidInput(`there is no revision ${revision}`);
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
 * What helm is called with to end a release. Not with `--ignore-not-found`: that takes whatever keeps helm from reading
 * the release, a missing permission for one, as a sign that there is none.
 */
export function uninstallArguments(request: UninstallRequest, files: RunFiles): string[] {
  return ["uninstall", ...positional(request), ...place(request, files), ...waiting(request, "hookOnly")];
}

/** What helm is called with to render a chart as a release's manifest has it: without hooks and without `crds/`. */
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
    throw new InvalidInput(`"${release}" cannot be the name of a release`, {
      hint: "Take at most 53 lower-case letters, digits and dashes.",
    });
  }
  if (!namespaceName.test(namespace)) throw new InvalidInput(`"${namespace}" cannot be a namespace`);
  return [release, ...further];
}

/** Anything but a path would have helm look for the chart somewhere else. */
function chartPath(path: string): string {
  if (isAbsolute(path)) return path;
  throw new InvalidInput(`"${path}" is not the absolute path of a chart`);
}

function place({ namespace }: ReleaseName, { kubeconfig }: RunFiles): string[] {
  return [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`];
}

function writing({ historyMax = defaultHistoryMax }: { readonly historyMax?: number | undefined }): string[] {
  return ["--server-side=true", "--force-conflicts", `--history-max=${historyMax}`];
}

function waiting({ timeoutMs }: { readonly timeoutMs: number }, strategy: "hookOnly" | "watcher"): string[] {
  const seconds = Math.max(1, Math.ceil(timeoutMs / 1_000));
  // Only so does helm say what it is doing, and why something could not be deleted.
  return [`--wait=${strategy}`, `--timeout=${seconds}s`, "--debug"];
}

function labelFlags(labels: Readonly<Record<string, string>> = {}): string[] {
  const checked = checkedLabels(labels);
  return checked.length === 0 ? [] : [`--labels=${checked.join(",")}`];
}

function checkedLabels(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([key, value]) => {
    // Helm takes "null" for the wish to have no such label.
    const isGood = labelKey.test(key) && labelValue.test(value) && value !== "null";
    if (!isGood) throw new InvalidInput(`"${key}=${value}" cannot be a label of a release`);
    return `${key}=${value}`;
  });
}
