import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Butler's directory in the user's cache, or a directory in it. An entry point of its own, because the console imports
 * this package too and browsers have no `node:os`.
 */
export function cacheFolder(
  { XDG_CACHE_HOME: given }: Readonly<Record<string, string | undefined>>,
  ...parts: readonly string[]
): string {
  return join(given || join(homedir(), ".cache"), "butler", ...parts);
}
