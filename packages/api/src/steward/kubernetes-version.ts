import { formattedText } from "@butler/resource";
import type { z } from "zod";

/** A Kubernetes version; the leading `v` is optional. */
export const kubernetesVersion = (): z.ZodString =>
  formattedText({
    pattern: String.raw`^v?[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`,
    message: "must be a full version such as v1.36.3",
    maxLength: 64,
  });

/** A parsed Kubernetes version. */
export interface KubernetesVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** The version with its `v`. */
  readonly text: string;
}

/** The supported minor versions of hosted control planes, for major version 1. */
export const supportedMinors = { oldest: 30, newest: 36 } as const;

/** Version of clusters if neither the cluster nor its team sets one. */
export const defaultKubernetesVersion = "v1.36.3";

/** Parses a version; undefined if the text is not a version. */
export function parseKubernetesVersion(text: string): KubernetesVersion | undefined {
  const match = /^v?(\d{1,5})\.(\d{1,5})\.(\d{1,5})(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch] = match.map(Number);
  return { major: major ?? 0, minor: minor ?? 0, patch: patch ?? 0, text: text.startsWith("v") ? text : `v${text}` };
}

/** Why a version is not supported, as the end of a sentence that begins with the field; undefined if it is. */
export function versionFault(text: string): string | undefined {
  const version = parseKubernetesVersion(text);
  if (version === undefined) return `must be a full version such as v1.36.3, not ${JSON.stringify(text)}`;
  const { oldest, newest } = supportedMinors;
  if (version.major === 1 && version.minor >= oldest && version.minor <= newest) return undefined;
  return `${version.text} is not supported; choose a version from v1.${oldest} to v1.${newest}`;
}

/**
 * Why a control plane cannot be upgraded to a version, as the end of a sentence; undefined if it can. Minor
 * versions increase one at a time, because stored objects are only converted between adjacent versions. Patch versions
 * can change freely.
 */
export function upgradeFault(from: string, to: string): string | undefined {
  const fault = versionFault(to);
  const [before, after] = [parseKubernetesVersion(from), parseKubernetesVersion(to)];
  if (fault !== undefined || before === undefined || after === undefined) return fault;
  const steps = after.minor - before.minor;
  if (steps < 0)
    return `cannot be downgraded from ${before.text} to ${after.text}; minor version downgrades are not supported`;
  if (steps <= 1) return undefined;
  return `cannot be upgraded from ${before.text} to ${after.text} directly; upgrade to v1.${before.minor + 1} first`;
}

/**
 * The same for a cluster of which several versions are known: the one in its spec and the one that runs. All count,
 * because an upgrade may be in progress. Without any, the version only has to be supported.
 */
export function upgradeFaultFrom(known: readonly (string | undefined)[], to: string): string | undefined {
  const from = known.filter((version) => version !== undefined);
  if (from.length === 0) return versionFault(to);
  return from.map((version) => upgradeFault(version, to)).find((fault) => fault !== undefined);
}
