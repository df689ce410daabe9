import { Tabs as Primitive } from "radix-ui";
import { type ReactNode, useEffect, useRef } from "react";

/** Tabs with their own URLs. The children are links with the class `b-tab`. */
export function TabLinks({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow screens the current tab may be outside the visible area.
    const current = row.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (row.current !== null && current) row.current.scrollLeft = current.offsetLeft - row.current.clientWidth / 3;
  });
  return (
    <nav ref={row} className="b-tabs" aria-label={label}>
      {children}
    </nav>
  );
}

/** A tab without its own URL. */
export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: ReactNode;
}

/** Tabs without URLs, such as form and YAML views. */
export function Tabs({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }) {
  return (
    <Primitive.Root defaultValue={tabs[0]?.id ?? ""}>
      <Primitive.List className="b-tabs" aria-label={label}>
        {tabs.map(({ id, label: name }) => (
          <Primitive.Trigger key={id} value={id} className="b-tab">
            {name}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map(({ id, content }) => (
        <Primitive.Content key={id} value={id}>
          {content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
