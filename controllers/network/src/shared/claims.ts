import { finalizers, type IPAllocation } from "@butler/api";
import { isBeingDeleted, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import { type IpRange, parseIpAddress } from "@butler/std";

/** The pool of a claim. */
export function poolKeyOf({ metadata, spec }: IPAllocation): ObjectKey {
  return { name: spec.poolRef.name, namespace: metadata.namespace };
}

/** Key of an IPAllocation in the index `byPool`. */
export function poolTextOf(object: KubeObject): string[] {
  return [keyText(poolKeyOf(object as IPAllocation))];
}

/** The range between two addresses; undefined if they are not a valid range. */
export function rangeBetween(start: string | undefined, end: string | undefined): IpRange | undefined {
  const [first, last] = [parseIpAddress(start ?? ""), parseIpAddress(end ?? "")];
  if (first === undefined || last === undefined || first.family !== last.family || first.value > last.value) {
    return undefined;
  }
  return { family: first.family, first: first.value, last: last.value };
}

/** Cached objects are immutable and read repeatedly. */
const read = new WeakMap<IPAllocation, { readonly range: IpRange | undefined }>();

/** The addresses of a claim, allocated or in quarantine; undefined if there are none. */
export function rangeOf(claim: IPAllocation): IpRange | undefined {
  const known = read.get(claim);
  if (known !== undefined) return known.range;
  const range = rangeBetween(claim.status?.startAddress, claim.status?.endAddress);
  read.set(claim, { range });
  return range;
}

/** End of the quarantine of a released claim, in milliseconds; undefined while it is allocated. */
export function restsUntilMs({ status }: IPAllocation): number | undefined {
  if (status?.phase !== "Released") return undefined;
  return status.quarantineUntil === undefined ? 0 : Date.parse(status.quarantineUntil);
}

/** Whether the addresses of a claim are unavailable to others: allocated or in quarantine. */
export function isTaken(claim: IPAllocation, now: Date): boolean {
  return rangeOf(claim) !== undefined && (restsUntilMs(claim) ?? Infinity) > now.getTime();
}

/** Whether a claim has addresses that are not released. */
export function isInUse(claim: IPAllocation): boolean {
  return rangeOf(claim) !== undefined && restsUntilMs(claim) === undefined;
}

/** Whether a claim can be allocated addresses: it has none, is not being deleted, and has our finalizer. */
export function isWaiting(claim: IPAllocation): boolean {
  const isHeld = claim.metadata.finalizers?.includes(finalizers.ipAllocation) ?? false;
  return isHeld && !isBeingDeleted(claim) && rangeOf(claim) === undefined;
}

/** Sort key by age, then by name within the same second. */
export function compareAge(left: KubeObject, right: KubeObject): number {
  return compareText(ageText(left), ageText(right));
}

function ageText({ metadata }: KubeObject): string {
  return `${metadata.creationTimestamp ?? ""} ${keyText(metadata)}`;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
