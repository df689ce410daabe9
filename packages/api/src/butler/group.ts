/** Names of the `butler.butlerlabs.dev` API group that every kind in it shares. */
export const butlerGroup = { group: "butler.butlerlabs.dev", version: "v1alpha1" } as const;
