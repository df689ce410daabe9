import type { SessionOptions } from "@butler/cli-session";
import { InvalidInput, NotFound } from "@butler/std";
import type { ContextEntry } from "./kubeconfig-contexts.ts";

/** The options for another context of the same kubeconfig. */
export function withoutContext({ kubeconfig }: SessionOptions): SessionOptions {
  return kubeconfig === undefined ? {} : { kubeconfig };
}

const noContexts = "The kubeconfig contains no contexts. Pass another file with --kubeconfig.";

/** The given context, or the current one. */
export function requireContext(entries: readonly ContextEntry[], name: string | undefined): ContextEntry {
  const found = entries.find((entry) => (name === undefined ? entry.isCurrent : entry.name === name));
  if (found !== undefined) return found;
  if (name === undefined) {
    throw new InvalidInput("the kubeconfig has no current context", {
      hint: "Select one with: butlerctl context use NAME",
    });
  }
  const names = entries.map((entry) => entry.name);
  throw new NotFound(`the kubeconfig has no context "${name}"`, {
    hint: names.length === 0 ? noContexts : `Available contexts: ${names.join(", ")}.`,
  });
}
