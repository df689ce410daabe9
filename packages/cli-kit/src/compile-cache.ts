import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * A short command spends most of its time compiling its own program, so the compiled code is cached. Must be called
 * before anything else is imported, which is why it is separate from the rest of this package.
 */
export function keepCompiledProgram(): void {
  const { XDG_CACHE_HOME = join(homedir(), ".cache") } = process.env;
  enableCompileCache(join(XDG_CACHE_HOME, "butler", "compiled"));
}
