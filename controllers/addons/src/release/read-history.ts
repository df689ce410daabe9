import { DecodeRefused, type ReleaseContent, type ReleaseDecoder } from "@butler/helm";
import { type KubeClient, listAll, tenantReadLimits } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { InvalidInput, isRecord, NotFound } from "@butler/std";
import { fingerprintLabel, ownerLabel } from "./revisions.ts";
import type { Revision } from "./situation.ts";

/** Where a release is in its cluster. */
export interface ReleasePlace {
  readonly release: string;
  readonly namespace: string;
}

/** The cluster of a release, and how its content is read. */
export interface ReleaseSource {
  readonly client: Pick<KubeClient, "list" | "get">;
  readonly decoder: Pick<ReleaseDecoder, "decode">;
  /** The cluster; content of different clusters is read in turn. */
  readonly group: string;
  readonly signal: AbortSignal;
}

/** A snapshot of the revisions of a release. */
export interface History {
  /** Equal as long as nothing has changed. */
  readonly version: string;
  /** The newest first. */
  readonly revisions: readonly Revision[];
  /** The name of the Secret of the newest revision. */
  readonly newestSecret: string | undefined;
  /** What was read of each Secret, by name and version. */
  readonly known: ReadonlyMap<string, Revision>;
}

/** Helm keeps ten revisions, unless a user asks for more. */
const mostSecrets = 100;
/** How many revisions are read: as many as the status shows. */
const mostRead = 10;

/** The metadata of a revision's Secret. */
interface Mark {
  readonly secret: string;
  /** Changes with the Secret. */
  readonly version: string;
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Reads the revisions of a release. First reads only the metadata of Helm's Secrets, which is small; of those that are
 * new or have changed, one after the other is read. A tenant's admin can write such Secrets, too, so their number and
 * size are limited here and in the decoder. Throws when the newest revision cannot be read.
 */
export async function readHistory(source: ReleaseSource, place: ReleasePlace, before?: History): Promise<History> {
  const marks = await readMarks(source, place);
  const version = marks.map((mark) => mark.version).join(" ");
  if (before?.version === version) return before;
  const known = new Map<string, Revision>();
  for (const mark of chosen(marks)) {
    const isNewest = mark === marks[0];
    const revision = before?.known.get(mark.version) ?? (await readRevision(source, place, { mark, isNewest }));
    if (revision !== undefined) known.set(mark.version, revision);
  }
  return { version, revisions: [...known.values()], newestSecret: marks[0]?.secret, known };
}

/** Reads the manifest of the newest revision. */
export async function readManifest(source: ReleaseSource, place: ReleasePlace, history: History): Promise<string> {
  if (history.newestSecret === undefined) return "";
  return (await readContent(source, { ...place, secret: history.newestSecret }, "manifest")).manifest;
}

/** The newest first. */
async function readMarks({ client, signal }: ReleaseSource, place: ReleasePlace): Promise<readonly Mark[]> {
  const { namespace, release } = place;
  const labelSelector = `owner=helm,name=${release}`;
  const fieldSelector = "type=helm.sh/release.v1";
  const { maximumBytes, maximumMs } = tenantReadLimits;
  const query = { namespace, labelSelector, fieldSelector, metadataOnly: true, limit: mostSecrets };
  const marks: Mark[] = [];
  let count = 0;
  for await (const secret of listAll(client, builtinKinds.Secret, { ...query, maximumBytes, maximumMs, signal })) {
    count += 1;
    if (count > mostSecrets) throw tooMany(place);
    marks.push(...markOf(secret));
  }
  return marks.toSorted((left, right) => right.revision - left.revision || (left.secret < right.secret ? -1 : 1));
}

function markOf({ metadata: { name, resourceVersion, labels = {} } }: DynamicObject): Mark[] {
  const { version = "" } = labels;
  // Helm gives every revision such a label.
  if (!/^[1-9]\d{0,8}$/.test(version)) return [];
  return [{ secret: name, version: `${name}@${resourceVersion}`, revision: Number(version), labels }];
}

/** The newest revisions, and the one that runs. */
function chosen(marks: readonly Mark[]): readonly Mark[] {
  const running = marks.find(({ labels }) => labels["status"] === "deployed");
  const newest = marks.slice(0, mostRead);
  return running === undefined || newest.includes(running) ? newest : [...newest, running];
}

/** The facts of a revision; undefined for an earlier one that is damaged, which hides no other. */
async function readRevision(
  source: ReleaseSource,
  place: ReleasePlace,
  { mark, isNewest }: { readonly mark: Mark; readonly isNewest: boolean },
): Promise<Revision | undefined> {
  try {
    return revisionOf(await readContent(source, { ...place, secret: mark.secret }, "facts"), mark);
  } catch (error) {
    const isBad = error instanceof DecodeRefused && error.refusal === "invalid";
    // Removed since it was listed: the next inspection lists again.
    if (!isNewest && (isBad || error instanceof NotFound)) return undefined;
    throw error;
  }
}

async function readContent(
  { client, decoder, group, signal }: ReleaseSource,
  { namespace, secret }: { readonly namespace: string; readonly secret: string },
  part: "facts" | "manifest",
): Promise<ReleaseContent> {
  const found = await client.get(builtinKinds.Secret, { namespace, name: secret }, signal);
  try {
    return await decoder.decode({ group, data: dataOf(found), part, signal });
  } catch (error) {
    if (!(error instanceof DecodeRefused)) throw error;
    const remedy = `delete Secret ${namespace}/${secret} in the cluster if Helm did not write it`;
    throw new DecodeRefused(error.refusal, `${error.message}; ${remedy}`);
  }
}

function dataOf(secret: DynamicObject): string {
  const release = isRecord(secret["data"]) ? secret["data"]["release"] : undefined;
  return typeof release === "string" ? release : "";
}

function revisionOf(
  { status, description, chart, lastDeployed }: ReleaseContent,
  { revision, labels }: Mark,
): Revision {
  return {
    revision,
    status,
    version: chart.version,
    appVersion: chart.appVersion,
    kubeVersion: chart.kubeVersion,
    description: description.slice(0, longestDescription),
    deployedAt: lastDeployed,
    fingerprint: labels[fingerprintLabel],
    owner: labels[ownerLabel],
  };
}

/** The status shows no more of it. */
const longestDescription = 1_024;

function tooMany({ namespace, release }: ReleasePlace): InvalidInput {
  const what = `release ${release} has more than ${mostSecrets} revisions in namespace ${namespace}`;
  return new InvalidInput(`${what}; delete the oldest of its Secrets of type helm.sh/release.v1`);
}
