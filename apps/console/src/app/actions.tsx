import type { PaletteEntry } from "@butler/ui";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useMemo, useState } from "react";

/** An action of a page, shared by buttons, menus and the palette. */
export interface PageAction {
  readonly id: string;
  readonly label: string;
  readonly perform: () => void;
  readonly keys?: string;
}

type Register = (owner: string, actions: readonly PageAction[]) => void;

// Two contexts, so that registering an action does not re-render the page that registers it.
const RegisterContext = createContext<Register>(() => undefined);
const EntriesContext = createContext<readonly PaletteEntry[]>([]);

/** Holds the actions that mounted pages offer in the palette. */
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
        group: "Actions",
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

/** Offers actions in the palette while the component is mounted. The list must be stable between renders. */
export function useActions(actions: readonly PageAction[]): void {
  const owner = useId();
  const register = useContext(RegisterContext);
  useEffect(() => {
    register(owner, actions);
    return () => register(owner, []);
  }, [owner, actions, register]);
}

/** Palette entries of the mounted pages. */
export function useActionEntries(): readonly PaletteEntry[] {
  return useContext(EntriesContext);
}
