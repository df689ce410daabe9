/** What the thread for passwords is asked. */
export type PasswordTask =
  | { readonly id: number; readonly kind: "hash"; readonly password: string; readonly cost: number }
  | { readonly id: number; readonly kind: "compare"; readonly password: string; readonly hash: string };

/** What it answers. */
export type PasswordAnswer =
  { readonly id: number; readonly result: string | boolean } | { readonly id: number; readonly error: string };

/** By this a thread knows that it was started for passwords. */
export const passwordThread = "butler-passwords";
