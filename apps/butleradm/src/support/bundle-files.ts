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

/** Everything that goes into a bundle, before secrets are taken out. */
export interface BundleContents {
  readonly madeAt: Date;
  readonly summary: Summary;
  readonly results: readonly CheckResult[];
  /** Objects by the plural of their kind. */
  readonly objects: Readonly<Record<string, readonly KubeObject[]>>;
  readonly logs: readonly ContainerLog[];
  /** What could not be read. */
  readonly notes: readonly string[];
  /** Values of Secrets, which are looked for everywhere and are in nothing. */
  readonly secretValues: readonly string[];
}

/** The files of a bundle, without secrets. */
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
    `What butleradm support-bundle found on ${madeAt.toISOString()}.`,
    "",
    "summary.yaml  how the installation is",
    "doctor.yaml   what was looked at, and what to do about what is wrong",
    "objects/      Butler's objects, those of Cluster API, and what Butler runs in",
    "logs/         the last lines of its own processes",
    "",
    "Values of Secrets, contents of ConfigMaps, environment variables, keys, tokens, passwords and kubeconfigs were taken",
    "out. Names of objects, host names, addresses and e-mail addresses of people are in it: look at it before you pass it on.",
    "",
    ...(notes.length === 0 ? [] : ["Not read:", ...notes.map((note) => `  ${note}`), ""]),
  ].join("\n");
}
