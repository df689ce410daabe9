import { useCallback, useEffect, useState } from "react";
import { type Draft, emptyDraft, isUntouched, parseDraft } from "./draft.ts";

/** A draft and how it is changed. */
export interface DraftState {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onDiscard: () => void;
  /** Incremented when the draft is discarded, so that partial input is dropped as well. */
  readonly generation: number;
}

const placeOf = (team: string): string => `butler.new-cluster.${team}`;

/** The draft of a team's next cluster. It survives a reload, but is limited to the browser tab. */
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
