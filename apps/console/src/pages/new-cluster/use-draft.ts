import { useCallback, useEffect, useState } from "react";
import { type Draft, emptyDraft, isUntouched, parseDraft } from "./draft.ts";

/** A draft and how it is changed. */
export interface DraftState {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onDiscard: () => void;
  /** Changes when the draft was thrown away, so that what is half typed goes with it. */
  readonly generation: number;
}

const placeOf = (team: string): string => `butler.new-cluster.${team}`;

/** The draft of a team's next cluster. It outlives a reload of the page, and nothing beyond the browser's tab. */
export function useDraft(team: string, environment: string | undefined): DraftState {
  const [draft, onDraft] = useState<Draft>(
    () => parseDraft(sessionStorage.getItem(placeOf(team))) ?? emptyDraft(environment),
  );
  const [generation, setGeneration] = useState(0);
  useEffect(() => {
    if (isUntouched(draft)) sessionStorage.removeItem(placeOf(team));
    else sessionStorage.setItem(placeOf(team), JSON.stringify(draft));
  }, [draft, team]);
  const onDiscard = useCallback(() => {
    sessionStorage.removeItem(placeOf(team));
    onDraft(emptyDraft(environment));
    setGeneration((before) => before + 1);
  }, [team, environment]);
  return { draft, onDraft, onDiscard, generation };
}
