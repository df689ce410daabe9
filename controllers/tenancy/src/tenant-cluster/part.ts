/** One part of a cluster: whether it is as it should be, and what is still to come. */
export interface Part {
  readonly isReady: boolean;
  readonly reason: string;
  readonly message: string;
}

/** A part that is as it should be. */
export function done(reason: string, message: string): Part {
  return { isReady: true, reason, message };
}

/** A part that something is still to come of. */
export function open(reason: string, message: string): Part {
  return { isReady: false, reason, message };
}
