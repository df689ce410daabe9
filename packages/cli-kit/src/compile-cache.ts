import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * A short command spends most of its time on reading its own program: what came of that is kept for the next one. To be
 * called before anything else is imported, which is why it stands apart from the rest of this package.
 */
export function keepCompiledProgram(): void {
  const { XDG_CACHE_HOME = join(homedir(), ".cache") } = process.env;
  enableCompileCache(join(XDG_CACHE_HOME, "butler", "compiled"));
}
