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
    harm: "a removed CRD of another project makes the process unready, which stops its admission",
    file: "packages/kube/src/cache/serving.ts",
    line: "  if (isOptional) return undefined;\n",
    broken: "",
    test: "packages/kube/src/cache/serving.test.ts",
    fails: "the readiness of a cache does not depend on an optional kind that is absent",
  },
  {
    harm: "a removed CRD looks as if all objects of its kind had been deleted",
    file: "packages/controller/src/cache-reader.ts",
    line: "if (!cache.isUsable) throw unusable(cache);",
    broken: "",
    test: "packages/controller/src/cache-reader.test.ts",
    fails: "a decision is not made when list would read a kind that is not served",
  },
  {
    harm: "objects are stored unjudged before the admission server has registered its webhooks",
    file: "apps/butler/src/admission/guard.ts",
    line: 'parameterNotFoundAction: "Deny"',
    broken: 'parameterNotFoundAction: "Allow"',
    test: "apps/butler/src/admission/guard.cluster.test.ts",
    fails: "kinds with admission are closed again when the configuration is deleted, and open once it is restored",
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
