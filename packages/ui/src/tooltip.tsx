import { Tooltip as Primitive } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

/** Has to be around everything that has tooltips: the second one of a row comes without a wait. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Primitive.Provider delayDuration={400}>{children}</Primitive.Provider>;
}

/** More about something, on hover and on focus. Nothing that is needed may stand only here. */
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
