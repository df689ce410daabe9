import type { PaletteEntry } from "@butler/ui";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useMemo, useState } from "react";

/** Something that can be done on a page: the same for buttons, menus and the palette. */
export interface PageAction {
  readonly id: string;
  readonly label: string;
  readonly perform: () => void;
  readonly keys?: string;
}

type Register = (owner: string, actions: readonly PageAction[]) => void;

// Two of them, so that a page that registers something is not drawn anew because of it.
const RegisterContext = createContext<Register>(() => undefined);
const EntriesContext = createContext<readonly PaletteEntry[]>([]);

/** Holds what the pages in sight offer to the palette. */
export function ActionsProvider({ children }: { readonly children: ReactNode }) {
  const [owners, setOwners] = useState<ReadonlyMap<string, readonly PageAction[]>>(new Map());
  const register = useCallback<Register>((owner, actions) => {
    setOwners((before) => {
      const after = new Map(before);
      if (actions.length === 0) after.delete(owner);
      else after.set(owner, actions);
      return after;
    });
  }, []);
  const entries = useMemo(
    () =>
      [...owners.values()].flat().map(({ id, label, perform, keys }) => ({
        id: `action ${id}`,
        label,
        group: "Do",
        onSelect: perform,
        ...(keys && { keys }),
      })),
    [owners],
  );
  return (
    <RegisterContext value={register}>
      <EntriesContext value={entries}>{children}</EntriesContext>
    </RegisterContext>
  );
}

/** Offers actions in the palette while the component is in sight. Give it a list that stays the same between renders. */
export function useActions(actions: readonly PageAction[]): void {
  const owner = useId();
  const register = useContext(RegisterContext);
  useEffect(() => {
    register(owner, actions);
    return () => register(owner, []);
  }, [owner, actions, register]);
}

/** What the pages in sight offer. */
export function useActionEntries(): readonly PaletteEntry[] {
  return useContext(EntriesContext);
}
