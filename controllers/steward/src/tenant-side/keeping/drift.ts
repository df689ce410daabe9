import { AppliedMemory, appliedAnnotation, covers, digestOf, isApplied, withAppliedNote } from "@butler/controller";
import { versionOf } from "@butler/kube";
import { type DynamicObject, isBeingDeleted, type KubeObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { writtenDataAnnotation } from "../objects/object-builders.ts";

/** The name under which Steward records what it applied in tenants. */
const noteName = "steward-tenant-side";

/** The field manager of everything that Steward writes in tenants. */
export const fieldManager = `butler-${noteName}`;

/** The next step for a desired object. */
export type Step = "nothing" | "write" | "wait for deletion" | "leave to the tenant";

/** Decides the next step for a live object. */
export function stepFor(
  desired: KubeObject,
  live: DynamicObject | undefined,
  memory: Pick<AppliedMemory, "matches"> = new AppliedMemory(),
): Step {
  if (live === undefined) return "write";
  // It is recreated once it is deleted; until then nothing that is written lasts.
  if (isBeingDeleted(live)) return "wait for deletion";
  if (hasDigest(desired) && isEdited(live)) return "leave to the tenant";
  const compared = withoutTenantsChoice(desired, live);
  return isApplied(compared, desired, noteName) || memory.matches(compared, desired) ? "nothing" : "write";
}

/** The object to apply: with the last-applied annotation, and with the fields that the tenant may set. */
export function applicable(desired: KubeObject, live: DynamicObject | undefined): DynamicObject {
  const noted = withAppliedNote(desired as DynamicObject, noteName);
  const [stated, chosen] = [replicasOf(noted), replicasOf(live)];
  return stated === undefined || chosen === undefined ? noted : withReplicas(noted, chosen);
}

/**
 * A live object without the tenant's choices: a Deployment is created with our number of replicas, and from then on the
 * tenant's number applies.
 */
export function withoutTenantsChoice(desired: KubeObject, live: DynamicObject): DynamicObject {
  const stated = replicasOf(desired as DynamicObject);
  return stated === undefined || replicasOf(live) === undefined ? live : withReplicas(live, stated);
}

/** Whether the live object matters, so that an object that seems missing is read anyway. */
export function mustBeRead(desired: KubeObject): boolean {
  return hasDigest(desired) || replicasOf(desired as DynamicObject) !== undefined;
}

/** Whether Steward wrote an object, and no user has taken it over since. */
export function isOurs(live: DynamicObject): boolean {
  return live.metadata.annotations?.[appliedAnnotation(noteName)] !== undefined && !(hasDigest(live) && isEdited(live));
}

/** The fingerprint of an object that was verified. */
export interface Verified {
  readonly digest: string;
  readonly uid: string | undefined;
  readonly version: bigint;
  readonly generation: number | undefined;
}

/** The fingerprint of a verified object. */
export function verifiedAs(desired: KubeObject, live: KubeObject): Verified {
  const { uid, generation } = live.metadata;
  return { digest: digestOf(desired), uid, version: versionOf(live), generation };
}

/** Whether an object is unchanged since it was verified, judged by its metadata. */
export function isStillVerified(desired: KubeObject, verified: Verified | undefined, seen: KubeObject): boolean {
  if (verified?.digest !== digestOf(desired) || verified.uid !== seen.metadata.uid) return false;
  if (versionOf(seen) <= verified.version) return true;
  // The status of a Deployment changes often; an unchanged generation means an unchanged spec.
  const { generation } = seen.metadata;
  if (generation === undefined || generation !== verified.generation || isBeingDeleted(seen)) return false;
  return covers(seen.metadata, withAppliedNote(desired, noteName).metadata);
}

function replicasOf(object: DynamicObject | undefined): unknown {
  const spec = object?.kind === "Deployment" ? object["spec"] : undefined;
  return isRecord(spec) ? spec["replicas"] : undefined;
}

function withReplicas(object: DynamicObject, replicas: unknown): DynamicObject {
  return { ...object, spec: { ...(object["spec"] as object), replicas } };
}

/** Whether tenants may take over an object by editing it. */
function hasDigest({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[writtenDataAnnotation] !== undefined;
}

/**
 * Whether the data differ from what Steward wrote. The digest that came with Steward's data is on the object itself, so
 * that this needs no memory and holds for data of every former version of Steward too.
 */
function isEdited(live: DynamicObject): boolean {
  return live.metadata.annotations?.[writtenDataAnnotation] !== digestOf(live["data"] ?? {});
}
