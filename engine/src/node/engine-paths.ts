import { InvalidInput } from "@butler/std";
import { join } from "node:path";
import { type ControlPlanePaths, controlPlanePaths } from "../control-plane/component-arguments.ts";

/** The files of an engine. */
export interface EnginePaths {
  readonly directory: string;
  readonly controlPlane: ControlPlanePaths;
  /** The supervisor's state directory. */
  readonly supervisor: string;
  readonly config: string;
  readonly logs: string;
  readonly podLogs: string;
  readonly kubeletRoot: string;
  readonly containerdRoot: string;
  readonly containerdState: string;
  readonly containerdSocket: string;
  readonly cniBin: string;
  readonly cniConf: string;
  readonly cniState: string;
  readonly volumes: string;
  /** The kubeconfig for users. */
  readonly kubeconfig: string;
  readonly slot: string;
}

/** The parent directory of all engines on this machine. */
export function enginesDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return environment["BUTLER_HOME"] ?? "/var/lib/butler";
}

/** Defines the directory layout of an engine. */
export function enginePaths(name: string, home = enginesDirectory()): EnginePaths {
  if (!/^[a-z0-9]([-a-z0-9]{0,18}[a-z0-9])?$/.test(name)) {
    throw new InvalidInput(`"${name}" is not a valid engine name`, {
      hint: "Use at most 20 lowercase letters, digits and '-', starting and ending with a letter or digit.",
    });
  }
  const directory = join(home, name);
  const at = (...parts: string[]): string => join(directory, ...parts);
  return {
    directory,
    controlPlane: controlPlanePaths(at("control-plane")),
    supervisor: at("supervisor"),
    config: at("config"),
    logs: at("logs"),
    podLogs: at("pod-logs"),
    kubeletRoot: at("kubelet"),
    containerdRoot: at("containerd"),
    containerdState: at("run", "containerd"),
    containerdSocket: at("run", "containerd.sock"),
    cniBin: at("cni", "bin"),
    cniConf: at("cni", "conf"),
    cniState: at("cni", "state"),
    volumes: at("volumes"),
    kubeconfig: at("kubeconfig"),
    slot: at("slot"),
  };
}
