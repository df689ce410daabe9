import { type KubeClient, listAll } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { decodeRelease } from "./decode/decode-release.ts";
import type { Release } from "./release.ts";

/** Selects releases; omitted fields match all. */
export interface ReleaseSelection {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Readable revisions, sorted by name and revision, and unreadable Secrets. */
export interface FoundReleases {
  readonly releases: readonly Release[];
  readonly unreadable: readonly { readonly secret: string; readonly error: unknown }[];
}

/** Reads the releases of a cluster. An unreadable release does not prevent others from being found. */
export async function findReleases(
  client: Pick<KubeClient, "list">,
  { namespace, name, signal }: ReleaseSelection = {},
): Promise<FoundReleases> {
  const labelSelector = ["owner=helm", ...(name === undefined ? [] : [`name=${name}`])].join(",");
  const fieldSelector = "type=helm.sh/release.v1";
  const releases: Release[] = [];
  const unreadable: { secret: string; error: unknown }[] = [];
  for await (const secret of listAll(client, builtinKinds.Secret, {
    namespace,
    labelSelector,
    fieldSelector,
    // Each may have a mebibyte.
    limit: 10,
    signal,
  })) {
    try {
      releases.push(await decodeRelease(dataOf(secret)));
    } catch (error) {
      unreadable.push({ secret: secret.metadata.name, error });
    }
  }
  return { releases: releases.sort(byNameAndRevision), unreadable };
}

function dataOf(secret: DynamicObject): string {
  const release = isRecord(secret["data"]) ? secret["data"]["release"] : undefined;
  return typeof release === "string" ? release : "";
}

function byNameAndRevision(left: Release, right: Release): number {
  const [one, other] = [left, right].map(({ namespace, name }) => `${namespace}/${name}`);
  if (one !== other) return (one ?? "") < (other ?? "") ? -1 : 1;
  return left.revision - right.revision;
}
