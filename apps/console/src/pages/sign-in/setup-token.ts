/**
 * The token of a link such as `/setup#token=...`. What comes after `#` is never sent to a server, so that neither its log
 * nor that of a proxy has it.
 */
export function tokenIn(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") ?? "";
}
