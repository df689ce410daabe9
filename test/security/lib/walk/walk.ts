import type { Actor } from "./actor.ts";
import {
  createTokens,
  createTokenSecrets,
  enterPods,
  impersonate,
  runPodsOnNodes,
  runPodsWithTokens,
  type Step,
  type StepContext,
} from "./steps-identity.ts";
import { isClusterAdmin, useAdmission, useNamespaces, useNodes, useRoles } from "./steps-objects.ts";

const steps: readonly Step[] = [
  isClusterAdmin,
  createTokens,
  createTokenSecrets,
  runPodsWithTokens,
  runPodsOnNodes,
  enterPods,
  impersonate,
  useNamespaces,
  useRoles,
  useAdmission,
  useNodes,
];

/** What one identity can do, and the identities that it can become directly. */
interface Reach {
  readonly powers: ReadonlySet<string>;
  readonly next: ReadonlyMap<string, Actor>;
}

/** What can be reached from an identity: all powers, each with the identities on the way to it. */
export type Walked = ReadonlyMap<string, readonly string[]>;

/** Walks from identity to identity until nothing new is gained. What an identity can do is found out once. */
export class Walker {
  readonly #context: StepContext;
  readonly #known = new Map<string, Promise<Reach>>();
  readonly #isForeign: (name: string) => boolean;

  /** An identity that is not Butler's is a power of its own: where it leads to is not Butler's to say. */
  constructor(context: StepContext, isForeign: (name: string) => boolean) {
    this.#context = context;
    this.#isForeign = isForeign;
  }

  async from(start: Actor): Promise<Walked> {
    const found = new Map<string, readonly string[]>();
    const seen = new Set([start.name]);
    const queue: { readonly actor: Actor; readonly way: readonly string[] }[] = [{ actor: start, way: [start.name] }];
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
      const { powers, next } = await this.#reach(at.actor);
      for (const text of powers) if (!found.has(text)) found.set(text, at.way);
      for (const [name, actor] of next) {
        if (seen.has(name)) continue;
        seen.add(name);
        found.set(`becomes ${name}`, at.way);
        if (!this.#isForeign(name)) queue.push({ actor, way: [...at.way, name] });
      }
    }
    return found;
  }

  #reach(actor: Actor): Promise<Reach> {
    const known = this.#known.get(actor.name) ?? this.#explore(actor);
    this.#known.set(actor.name, known);
    return known;
  }

  async #explore(actor: Actor): Promise<Reach> {
    const gains = (await Promise.all(steps.map((step) => step(actor, this.#context)))).flat();
    return {
      powers: new Set(gains.flatMap((gain) => ("power" in gain ? [gain.power] : []))),
      next: new Map(gains.flatMap((gain) => ("actor" in gain ? [[gain.actor.name, gain.actor] as const] : []))),
    };
  }
}
