import type { Mutation } from "../../tools/mutations/mutation.ts";

/** The Kubernetes client: caches and leader election. */
export const kubeMutations: readonly Mutation[] = [
  {
    harm: "two processes lead at the same time, because a Lease is acquired before it expires",
    file: "packages/kube/src/election/lease-decision.ts",
    line: "(promisedMs > 0 ? promisedMs : leaseDurationMs)",
    broken: "leaseDurationMs",
    test: "packages/kube/src/election/lease-decision.test.ts",
    fails: "decideLease uses the holder's duration, not its own",
  },
  {
    harm: "a leader keeps working after its lease may have expired, because it measures from the response instead of the request",
    file: "packages/kube/src/election/leader-election.ts",
    line: "const remainingMs = heldSinceMs + renewDeadlineMs - this.#clock.monotonicMs();",
    broken: "const remainingMs = renewDeadlineMs;",
    test: "packages/kube/src/election/leader-election.test.ts",
    fails: "measures its lease from when it sent the renewal, not from the response",
  },
  {
    harm: "a cache restores a deleted object",
    file: "packages/kube/src/cache/object-store.ts",
    line: "version <= this.#streamVersion || ",
    broken: "",
    test: "packages/kube/src/cache/object-store.test.ts",
    fails: "receiveWrite cannot recreate an object once the stream has reported its deletion",
  },
  {
    harm: "a cache keeps objects that were deleted while it was disconnected",
    file: "packages/kube/src/cache/object-store.ts",
    line: "if (!listed.has(key) && !this.#ahead.has(key)) events.push(...this.#remove(key, object));",
    broken: "void object;",
    test: "packages/kube/src/cache/object-store.test.ts",
    fails: "replaceAll reports the difference between the cache and the list",
  },
];
