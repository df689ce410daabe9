import { renderValue } from "@butler/cli-kit";
import type { KubeObject } from "@butler/resource";
import type { ArchiveFile } from "../archive/tar.ts";
import type { CheckResult } from "../platform/check-result.ts";
import type { Summary } from "../status/summary.ts";
import { Redactor } from "./redactor.ts";

/** The log of one container. */
export interface ContainerLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly isPrevious: boolean;
  readonly text: string;
}

/** Contents of a bundle before redaction. */
export interface BundleContents {
  readonly madeAt: Date;
  readonly summary: Summary;
  readonly results: readonly CheckResult[];
  /** Objects by the plural of their kind. */
  readonly objects: Readonly<Record<string, readonly KubeObject[]>>;
  readonly logs: readonly ContainerLog[];
  /** Errors of unreadable objects and logs. */
  readonly notes: readonly string[];
  /** Values of Secrets, which are redacted everywhere. */
  readonly secretValues: readonly string[];
}

/** The redacted files of a bundle. */
export function bundleFiles(contents: BundleContents): ArchiveFile[] {
  const { madeAt, summary, results, objects, logs, notes } = contents;
  const redactor = new Redactor(contents.secretValues);
  const data = (path: string, value: unknown): ArchiveFile => ({
    path,
    content: Buffer.from(`${renderValue(redactor.value(value), "yaml")}\n`),
  });
  const text = (path: string, value: string): ArchiveFile => ({ path, content: Buffer.from(redactor.text(value)) });
  return [
    text("README.txt", readme(madeAt, notes)),
    data("summary.yaml", summary),
    data("doctor.yaml", results),
    ...Object.entries(objects).map(([plural, list]) => data(`objects/${plural.slice(0, 80)}.yaml`, list)),
    ...logs.map((log, at) => text(redactor.text(logPath(log, at)), log.text)),
  ];
}

function logPath({ pod, container, isPrevious }: ContainerLog, at: number): string {
  const name = `${pod.slice(0, 45)}_${container.slice(0, 20)}${isPrevious ? "_previous" : ""}`;
  return `logs/${String(at + 1).padStart(4, "0")}-${name}.log`;
}

function readme(madeAt: Date, notes: readonly string[]): string {
  return [
    `Collected by butleradm support-bundle on ${madeAt.toISOString()}.`,
    "",
    "summary.yaml  state of the installation",
    "doctor.yaml   results of all checks, with remedies",
    "objects/      objects of Butler and Cluster API, and the workloads in their namespaces",
    "logs/         recent log lines from the pods",
    "",
    "Values of Secrets, contents of ConfigMaps, environment variables, keys, tokens, passwords and kubeconfigs were",
    "removed. Object names, host names, IP addresses and email addresses are included: review the bundle before you share it.",
    "",
    ...(notes.length === 0 ? [] : ["Could not be read:", ...notes.map((note) => `  ${note}`), ""]),
  ].join("\n");
}
