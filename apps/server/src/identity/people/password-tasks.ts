/** Request to the password thread. */
export type PasswordTask =
  | { readonly id: number; readonly kind: "hash"; readonly password: string; readonly cost: number }
  | { readonly id: number; readonly kind: "compare"; readonly password: string; readonly hash: string };

/** Its response. */
export type PasswordAnswer =
  { readonly id: number; readonly result: string | boolean } | { readonly id: number; readonly error: string };

/** Marks a thread as the password thread. */
export const passwordThread = "butler-passwords";
