import { finalizers, type IPAllocation } from "@butler/api";
import { isBeingDeleted, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import { type IpRange, parseIpAddress } from "@butler/std";

/** The pool that a claim draws from. */
export function poolKeyOf({ metadata, spec }: IPAllocation): ObjectKey {
  return { name: spec.poolRef.name, namespace: metadata.namespace };
}

/** What the index `byPool` files an IPAllocation under. */
export function poolTextOf(object: KubeObject): string[] {
  return [keyText(poolKeyOf(object as IPAllocation))];
}

/** All addresses from one to another; undefined when the texts are no such range. */
export function rangeBetween(start: string | undefined, end: string | undefined): IpRange | undefined {
  const [first, last] = [parseIpAddress(start ?? ""), parseIpAddress(end ?? "")];
  if (first === undefined || last === undefined || first.family !== last.family || first.value > last.value) {
    return undefined;
  }
  return { family: first.family, first: first.value, last: last.value };
}

/** Objects in a cache are read again and again and never change. */
const read = new WeakMap<IPAllocation, { readonly range: IpRange | undefined }>();

/** The addresses that a claim was given, whether it still has them or lets them rest; undefined when there are none. */
export function rangeOf(claim: IPAllocation): IpRange | undefined {
  const known = read.get(claim);
  if (known !== undefined) return known.range;
  const range = rangeBetween(claim.status?.startAddress, claim.status?.endAddress);
  read.set(claim, { range });
  return range;
}

/** Until when the addresses of a claim that was given back rest, in milliseconds; undefined while it has them. */
export function restsUntilMs({ status }: IPAllocation): number | undefined {
  if (status?.phase !== "Released") return undefined;
  return status.quarantineUntil === undefined ? 0 : Date.parse(status.quarantineUntil);
}

/** Whether nobody else may have the addresses of a claim yet: they are in use, or they rest. */
export function isTaken(claim: IPAllocation, now: Date): boolean {
  return rangeOf(claim) !== undefined && (restsUntilMs(claim) ?? Infinity) > now.getTime();
}

/** Whether a claim has addresses and has not given them back. */
export function isInUse(claim: IPAllocation): boolean {
  return rangeOf(claim) !== undefined && restsUntilMs(claim) === undefined;
}

/** Whether a claim can be given addresses: it has none, stays, and cannot vanish without the controller's leave. */
export function isWaiting(claim: IPAllocation): boolean {
  const isHeld = claim.metadata.finalizers?.includes(finalizers.ipAllocation) ?? false;
  return isHeld && !isBeingDeleted(claim) && rangeOf(claim) === undefined;
}

/** Who came first; of those that came in the same second, in the order of their names. */
export function compareAge(left: KubeObject, right: KubeObject): number {
  return compareText(ageText(left), ageText(right));
}

function ageText({ metadata }: KubeObject): string {
  return `${metadata.creationTimestamp ?? ""} ${keyText(metadata)}`;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
