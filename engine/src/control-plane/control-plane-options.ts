import { type Clock, InvalidInput } from "@butler/std";
import type { Progress } from "../progress.ts";
import type { ComponentName, ComponentTuning } from "./component-arguments.ts";

/** Options of a control plane; everything has a default. */
export interface ControlPlaneOptions {
  /** Part of the directory's name and of the kubeconfig; at most 30 of a-z, 0-9 and '-'. */
  readonly name?: string;
  readonly withControllerManager?: boolean;
  /** Flags and feature gates per component. */
  readonly components?: Readonly<Partial<Record<ComponentName, ComponentTuning>>>;
  /** A directory for the state: a later control plane with the same one has the same objects and CAs. */
  readonly dataDir?: string;
  /** By default a free port is chosen. */
  readonly apiServerPort?: number;
  /** Makes etcd respond before the data is on disk: fast, and safe except for a crash of the machine. */
  readonly unsafeNoFsync?: boolean;
  /** Keep the temporary directory when the control plane stops. */
  readonly keep?: boolean;
  /** Timeout until each component is ready. */
  readonly startTimeoutMs?: number;
  readonly environment?: NodeJS.ProcessEnv;
  readonly progress?: Progress;
  readonly clock?: Clock;
}

/** A Unix socket's path may have 107 bytes on Linux and 103 elsewhere. */
const longestSocketPath = 103;

/** Rejects a name that cannot be part of a directory name. */
export function parseControlPlaneName(name: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,28}[a-z0-9])?$/.test(name)) return name;
  throw new InvalidInput(`"${name}" is not a valid control plane name`, {
    hint: "Use at most 30 lowercase letters, digits and '-', starting and ending with a letter or digit.",
  });
}

/** Rejects a directory whose path is too long for its sockets. */
export function checkSocketPath(socket: string): void {
  if (Buffer.byteLength(socket) <= longestSocketPath) return;
  throw new InvalidInput(`the path ${socket} exceeds the limit of ${longestSocketPath} bytes for Unix sockets`, {
    hint: "Set TMPDIR, or dataDir if it is set, to a shorter path.",
  });
}
