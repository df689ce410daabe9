import type { Denial } from "@butler/kube";

/** Stable words for programs that read refusals. */
export type DenialCode =
  | "DELETION_PROTECTED"
  | "DUPLICATE"
  | "FORBIDDEN"
  | "IMMUTABLE"
  | "INVALID"
  | "IN_USE"
  | "NOT_ALLOWED"
  | "NOT_FOUND"
  | "POLICY"
  | "QUOTA"
  | "REQUIRED"
  | "UNSUPPORTED";

/** One reason to refuse, as a list to spread. */
export function denied(code: DenialCode, path: string, message: string): Denial[] {
  return [{ path, message, code }];
}

/** A reason to refuse where there is a fault, and none where there is not. */
export function deniedFor(code: DenialCode, path: string, fault: string | undefined): Denial[] {
  return fault === undefined ? [] : denied(code, path, fault);
}
