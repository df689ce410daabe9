import { join } from "node:path";
import earlierLock from "../kubernetes-1.35/tools.lock.json" with { type: "json" };
import { type ToolsLock, toolsLock } from "./lock-file.ts";

/** Programs that are pinned together: a directory with their lock file and the Go modules that it names. */
export interface ToolSet {
  readonly directory: string;
  readonly lock: ToolsLock;
  /** Everything that affects the binaries; any change creates a new cache. */
  readonly digestedFiles: readonly string[];
}

/** The engine's own directory. */
export const engineDirectory = join(import.meta.dirname, "..");

/** The tools of the engine itself. */
export const engineToolSet: ToolSet = {
  directory: engineDirectory,
  lock: toolsLock,
  digestedFiles: ["tools.lock.json", "go.mod", "go.sum", "coredns/main.go", "runc/go.mod", "runc/go.sum"],
};

/** The control plane of the previous minor version, from which upgrades are tested. */
export const earlierKubernetes: ToolSet = {
  directory: join(engineDirectory, "kubernetes-1.35"),
  lock: earlierLock,
  digestedFiles: ["tools.lock.json", "go.mod", "go.sum"],
};
