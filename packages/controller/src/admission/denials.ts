import type { Denial } from "@butler/kube";

/** Stable codes for clients that parse denials. */
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

/** One denial, as a list to spread. */
export function denied(code: DenialCode, path: string, message: string): Denial[] {
  return [{ path, message, code }];
}

/** One denial when there is a fault, otherwise none. */
export function deniedFor(code: DenialCode, path: string, fault: string | undefined): Denial[] {
  return fault === undefined ? [] : denied(code, path, fault);
}
