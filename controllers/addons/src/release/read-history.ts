import { findReleases, type Release } from "@butler/helm";
import { type KubeClient, listAll } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { fingerprintLabel, ownerLabel } from "./revisions.ts";
import type { Revision } from "./situation.ts";

/** Where a release is in its cluster. */
export interface ReleasePlace {
  readonly release: string;
  readonly namespace: string;
}

/** A snapshot of the revisions of a release. */
export interface History {
  /** Equal as long as nothing has changed. */
  readonly version: string;
  /** The newest first. */
  readonly revisions: readonly Revision[];
  /** The manifest of the newest revision. */
  readonly manifest: string;
}

/**
 * Reads the revisions of a release. First reads only the metadata of Helm's Secrets, which is small; their content is read
 * when the metadata has changed.
 */
export async function readHistory(
  client: Pick<KubeClient, "list">,
  { release, namespace, signal }: ReleasePlace & { readonly signal: AbortSignal },
  known?: History,
): Promise<History> {
  const selection = { namespace, labelSelector: `owner=helm,name=${release}`, metadataOnly: true, signal };
  const marks: DynamicObject[] = [];
  for await (const secret of listAll(client, builtinKinds.Secret, selection)) marks.push(secret);
  const version = versionOf(marks);
  if (known?.version === version) return known;
  const { releases } = await findReleases(client, { namespace, name: release, signal });
  const newestFirst = releases.toSorted((left, right) => right.revision - left.revision);
  const labels = new Map(marks.map(({ metadata }) => [metadata.labels?.["version"], metadata.labels]));
  const revisions = newestFirst.map((each) => revisionOf(each, labels.get(String(each.revision))));
  return { version, revisions, manifest: newestFirst[0]?.manifest ?? "" };
}

function versionOf(marks: readonly DynamicObject[]): string {
  return marks
    .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
    .toSorted()
    .join(" ");
}

function revisionOf(release: Release, labels: Readonly<Record<string, string>> | undefined): Revision {
  const { revision, status, description, chart, lastDeployed } = release;
  return {
    revision,
    status,
    version: chart.version,
    appVersion: chart.appVersion,
    kubeVersion: chart.kubeVersion,
    description,
    deployedAt: lastDeployed,
    fingerprint: labels?.[fingerprintLabel],
    owner: labels?.[ownerLabel],
  };
}
