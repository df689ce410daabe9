import { type Clock, InvalidInput } from "@butler/std";
import type { Progress } from "../progress.ts";
import type { ComponentName, ComponentTuning } from "./component-arguments.ts";

/** How a control plane is to be; everything has a default. */
export interface ControlPlaneOptions {
  /** Part of the directory's name and of the kubeconfig; at most 30 of a-z, 0-9 and '-'. */
  readonly name?: string;
  readonly withControllerManager?: boolean;
  /** Flags and feature gates per component. */
  readonly components?: Readonly<Partial<Record<ComponentName, ComponentTuning>>>;
  /** A directory to keep the state in: a later control plane with the same one has the same objects and authorities. */
  readonly dataDir?: string;
  /** By default a free port is drawn. */
  readonly apiServerPort?: number;
  /** Lets etcd answer before the disk has the data: fast, and safe against anything but a crash of the machine. */
  readonly unsafeNoFsync?: boolean;
  /** Leave the temporary directory in place when the control plane stops. */
  readonly keep?: boolean;
  /** How long each component may take until it is ready. */
  readonly startTimeoutMs?: number;
  readonly environment?: NodeJS.ProcessEnv;
  readonly progress?: Progress;
  readonly clock?: Clock;
}

/** A Unix socket's path may have 107 bytes on Linux and 103 elsewhere. */
const longestSocketPath = 103;

/** Refuses a name that cannot be part of a directory's name. */
export function parseControlPlaneName(name: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,28}[a-z0-9])?$/.test(name)) return name;
  throw new InvalidInput(`"${name}" is not a name for a control plane`, {
    hint: "Use at most 30 lower-case letters, digits and '-', beginning and ending with a letter or digit.",
  });
}

/** Refuses a directory whose path is too long for the sockets in it. */
export function checkSocketPath(socket: string): void {
  if (Buffer.byteLength(socket) <= longestSocketPath) return;
  throw new InvalidInput(
    `the path ${socket} is longer than the ${longestSocketPath} bytes that a Unix socket may have`,
    {
      hint: "Set TMPDIR, or dataDir where it is given, to a shorter path.",
    },
  );
}
