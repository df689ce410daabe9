import { Dialog } from "@butler/ui";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useMe } from "../../session/me.ts";
import { rolesOf } from "../../session/user-roles.ts";
import { useActionEntries } from "../actions.tsx";
import { keyAction } from "./key-action.ts";
import { placesFor } from "./places-for.ts";

const general: readonly (readonly [string, string])[] = [
  ["Ctrl K", "Command palette"],
  ["/", "Filter list"],
  ["j, k or arrows", "Move through a list"],
  ["Enter", "Open"],
  ["Esc", "Close"],
  ["?", "Keyboard shortcuts"],
];

/** Global keyboard shortcuts and the dialog that lists them. */
export function Keys({ onPalette, team }: { readonly onPalette: () => void; readonly team: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const before = useRef<{ key: string; atMs: number }>(undefined);
  const navigate = useNavigate();
  const places = placesFor(rolesOf(useMe(), team), team);
  const actions = useActionEntries();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const action = keyAction(event, { before: before.current, nowMs: Date.now(), isTyping: isTyping(event.target) });
      // Shift is reported as a separate key between the two keys of a sequence.
      if (event.key.length === 1) before.current = { key: event.key, atMs: Date.now() };
      if (action === undefined) return;
      const place = places.find(({ keys }) => keys === action);
      const own = actions.find(({ keys }) => keys === action);
      if (action === "palette") onPalette();
      else if (action === "?") setOpen(true);
      else if (action === "/") document.querySelector<HTMLElement>("[data-filter]")?.focus();
      else if (place !== undefined) void navigate({ to: place.to, params: { team: team ?? "" } });
      else if (own !== undefined) own.onSelect();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  const rows = [
    ...general,
    ...places.flatMap(({ keys, label }) => (keys === undefined ? [] : [[keys, label] as const])),
  ];
  return (
    <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Keyboard shortcuts">
      <dl className="c-keys">
        {rows.map(([keys, words]) => (
          <div key={keys} style={{ display: "contents" }}>
            <dt>
              <kbd className="b-key">{keys}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
