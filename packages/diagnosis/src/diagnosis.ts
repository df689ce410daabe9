import { clusterPhase } from "@butler/api";
import { printable } from "@butler/std";
import { type Blocker, keyText, type KubeObject } from "@butler/resource";
import type { ClusterFacts } from "./facts.ts";

/** The answer to "why": what blocks a cluster, and what to do about it. Its fields are part of the output of commands. */
export interface Diagnosis {
  /** `well`: no problems. `busy`: in progress, no action needed. `stuck`: action required. */
  readonly state: "well" | "busy" | "stuck";
  /** What was found, as one word for scripts. */
  readonly cause: string;
  readonly sentence: string;
  readonly nextStep: string;
  /** From the cluster down to the object that fails, one entry per object. */
  readonly chain: readonly string[];
}

/** Looks for one kind of problem; undefined when it is not present. */
export type Check = (facts: ClusterFacts) => Diagnosis | undefined;

/** An object in the chain, with its state. */
export type Link = readonly [object: KubeObject | undefined, state: string];

/** What blocks a cluster, before the chain from the cluster is added. The message and the remedy are sentences. */
export interface ChainBlocker extends Blocker {
  readonly remedy: string;
  /** The objects below the cluster, down to the one that fails. */
  readonly links: readonly Link[];
}

/** An object as kind and name. */
export function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}

/** A blocker that requires action. */
export function stuck(facts: ClusterFacts, blocker: ChainBlocker): Diagnosis {
  return diagnosis(facts, "stuck", blocker);
}

/** A blocker that resolves without action. */
export function busy(facts: ClusterFacts, blocker: ChainBlocker): Diagnosis {
  return diagnosis(facts, "busy", blocker);
}

function diagnosis(
  facts: ClusterFacts,
  state: Diagnosis["state"],
  { reason, message, remedy, links }: ChainBlocker,
): Diagnosis {
  return {
    state,
    cause: reason,
    sentence: printable(message),
    nextStep: printable(remedy),
    chain: chainOf(facts, links),
  };
}

/** The chain from the cluster down, without objects that do not exist. */
export function chainOf({ cluster }: ClusterFacts, links: readonly Link[]): string[] {
  const own = links.filter(([object]) => object === cluster).map(([, state]) => state);
  const head: Link = [cluster, [clusterPhase(cluster), ...own].join(", ")];
  return [head, ...links.filter(([object]) => object !== cluster)].flatMap(([object, state]) =>
    object === undefined ? [] : [printable(`${object.kind} ${keyText(object.metadata)}: ${state}`)],
  );
}

/** The end of a sentence that gives a reason; empty when there is no reason. */
export function because(reason: string | undefined): string {
  const text = (reason ?? "").trim().replace(/\.$/, "");
  return text === "" ? "" : `: ${text}`;
}
