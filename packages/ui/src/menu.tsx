import { DropdownMenu as Primitive } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

/** A menu item. */
export interface MenuItem {
  readonly id: string;
  readonly label: ReactNode;
  readonly onSelect: () => void;
  /** Shown at the end of the item: a key, a role, a count. */
  readonly aside?: ReactNode;
  readonly kind?: "normal" | "danger";
  /** Why it is disabled; shown in the item. */
  readonly refusal?: string | undefined;
  readonly isChosen?: boolean;
}

/** A labeled group of items. */
export interface MenuGroup {
  readonly label?: string;
  readonly items: readonly MenuItem[];
}

/** A dropdown menu. Not modal, because scroll locking injects styles that our policy forbids. */
export function Menu({ trigger, groups }: { readonly trigger: ReactElement; readonly groups: readonly MenuGroup[] }) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className="b-menu" sideOffset={4} align="start" collisionPadding={12}>
          {groups.map(({ label, items }, index) => (
            <Primitive.Group key={label ?? items[0]?.id ?? index}>
              {index > 0 && <Primitive.Separator className="b-menu-line" />}
              {label !== undefined && <Primitive.Label className="b-menu-label">{label}</Primitive.Label>}
              {items.map((item) => (
                <Item key={item.id} {...item} />
              ))}
            </Primitive.Group>
          ))}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function Item({ label, onSelect, aside, kind = "normal", refusal, isChosen }: MenuItem) {
  return (
    <Primitive.Item
      className="b-menu-item"
      data-kind={kind}
      disabled={refusal !== undefined}
      onSelect={onSelect}
      aria-current={isChosen === true ? "true" : undefined}
    >
      <span>
        {label}
        {refusal !== undefined && <span className="b-menu-label"> {refusal}</span>}
      </span>
      {isChosen === true ? (
        <span aria-hidden="true">✓</span>
      ) : (
        aside !== undefined && <span className="b-soft">{aside}</span>
      )}
    </Primitive.Item>
  );
}
