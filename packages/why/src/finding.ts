import { clusterPhase } from "@butler/api";
import { printable } from "@butler/std";
import { keyText, type KubeObject } from "@butler/resource";
import type { ClusterFacts } from "./facts.ts";

/** The answer to "why": what holds a cluster up, and what to do about it. */
export interface Finding {
  /** `well`: nothing is wrong. `busy`: it goes on by itself. `stuck`: somebody has to do something. */
  readonly state: "well" | "busy" | "stuck";
  /** What was found, as one word for programs. */
  readonly cause: string;
  readonly sentence: string;
  readonly nextStep: string;
  /** From the cluster down to the thing that fails, object by object. */
  readonly chain: readonly string[];
}

/** One thing that can be the matter; undefined when it is not. */
export type Check = (facts: ClusterFacts) => Finding | undefined;

/** An object on the way down, with what is to be said about it. */
export type Link = readonly [object: KubeObject | undefined, state: string];

/** What a check has found, before the cluster's name is put around it. */
export interface Trouble {
  readonly cause: string;
  readonly sentence: string;
  readonly nextStep: string;
  /** The objects below the cluster, down to the one that fails. */
  readonly links: readonly Link[];
}

/** An object as people name it. */
export function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}

/** A finding that somebody has to act on. */
export function stuck(facts: ClusterFacts, trouble: Trouble): Finding {
  return finding(facts, "stuck", trouble);
}

/** A finding that passes by itself. */
export function busy(facts: ClusterFacts, trouble: Trouble): Finding {
  return finding(facts, "busy", trouble);
}

function finding(facts: ClusterFacts, state: Finding["state"], { cause, sentence, nextStep, links }: Trouble): Finding {
  return { state, cause, sentence: printable(sentence), nextStep: printable(nextStep), chain: chainOf(facts, links) };
}

/** The way from the cluster down, leaving out objects that are not there. */
export function chainOf({ cluster }: ClusterFacts, links: readonly Link[]): string[] {
  const own = links.filter(([object]) => object === cluster).map(([, state]) => state);
  const head: Link = [cluster, [clusterPhase(cluster), ...own].join(", ")];
  return [head, ...links.filter(([object]) => object !== cluster)].flatMap(([object, state]) =>
    object === undefined ? [] : [printable(`${object.kind} ${keyText(object.metadata)}: ${state}`)],
  );
}

/** The end of a sentence that gives a reason; nothing when there is none. */
export function because(reason: string | undefined): string {
  const text = (reason ?? "").trim().replace(/\.$/, "");
  return text === "" ? "" : `: ${text}`;
}
