/**
 * The token of a link such as `/setup#token=...`. The fragment is never sent to a server, so it stays out of server and
 * proxy logs.
 */
export function tokenIn(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") ?? "";
}
