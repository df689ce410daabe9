import { Tooltip as Primitive } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

/** Required around all tooltips: consecutive tooltips open without delay. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Primitive.Provider delayDuration={400}>{children}</Primitive.Provider>;
}

/** Additional text on hover and focus. Must not contain essential information. */
export function Tooltip({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className="b-tooltip" sideOffset={6} collisionPadding={12}>
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
