import { enableCompileCache } from "node:module";
import { cacheFolder } from "@butler/std/cache-folder";

/**
 * A short command spends most of its time compiling its own program, so the compiled code is cached. Must be called
 * before anything else is imported, which is why it is separate from the rest of this package.
 */
export function keepCompiledProgram(): void {
  enableCompileCache(cacheFolder(process.env, "compiled"));
}
