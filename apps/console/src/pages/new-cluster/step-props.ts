import type { TeamView } from "../../session/me.ts";
import { type Draft, withValueAt } from "./draft.ts";
import type { Finding } from "./findings.ts";
import type { Provider } from "./quota.ts";

/** Props of every step. */
export interface StepProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly team: TeamView;
  readonly findings: readonly Finding[];
  /** Providers that the team can use; undefined until they are known. */
  readonly providers: readonly Provider[] | undefined;
}

/** Returns a function that sets a field of the spec; undefined resets it. */
export function setting({ draft, onDraft }: Pick<StepProps, "draft" | "onDraft">) {
  return (path: string, value: unknown): void => onDraft({ ...draft, spec: withValueAt(draft.spec, path, value) });
}

/** The provider that the draft refers to; undefined for the default. */
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

/** The entered number; the text itself if it is not a number, so that validation can report it. */
export function numberOf(text: string): number | string {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}
