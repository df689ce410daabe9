import type { TeamView } from "../../session/me.ts";
import { type Draft, withValueAt } from "./draft.ts";
import type { Finding } from "./findings.ts";
import type { Provider } from "./quota.ts";

/** What every step is given. */
export interface StepProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly team: TeamView;
  readonly findings: readonly Finding[];
  /** Providers that the team can use; undefined until they are known. */
  readonly providers: readonly Provider[] | undefined;
}

/** Gives the function that sets a field of the spec; undefined leaves the field open. */
export function setting({ draft, onDraft }: Pick<StepProps, "draft" | "onDraft">) {
  return (path: string, value: unknown): void => onDraft({ ...draft, spec: withValueAt(draft.spec, path, value) });
}

/** The provider that the draft names; undefined when it leaves the choice open. */
export function chosenProvider({
  draft,
  providers = [],
}: Pick<StepProps, "draft" | "providers">): Provider | undefined {
  const reference = draft.spec["providerConfigRef"] as
    { readonly name?: string; readonly namespace?: string } | undefined;
  const { name, namespace = "butler-system" } = reference ?? {};
  if (name === undefined) return providers.length === 1 ? providers[0] : undefined;
  return providers.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
}

/** A whole number that somebody wrote; the text itself when it is none, so that it can be told what is wrong. */
export function numberOf(text: string): number | string {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}
