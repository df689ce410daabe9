import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** What a dialog shows and how it ends. */
export interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** One sentence under the title. */
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons at the end; the one that does it comes last. */
  readonly actions?: ReactNode;
  /** `right` is the drawer for details of a row: the list stays in sight. */
  readonly place?: "centre" | "right";
}

/** Whoever opens a form wants to fill it in; the cross in the corner comes first in the page and is the last thing wanted. */
function beginAtFirstField(event: Event): void {
  if (!(event.target instanceof HTMLElement)) return;
  const field = event.target.querySelector<HTMLElement>("input, select, textarea");
  event.preventDefault();
  (field ?? event.target).focus();
}

/**
 * A dialog that keeps the focus inside and gives it back. The backdrop is ours: the one of the library writes a style
 * element into the page, which our content security policy forbids.
 */
export function Dialog({ isOpen, onClose, title, description, children, actions, place = "centre" }: DialogProps) {
  return (
    <Primitive.Root open={isOpen} onOpenChange={(isWanted) => !isWanted && onClose()}>
      <Primitive.Portal>
        <div className="b-backdrop" aria-hidden="true" />
        <Primitive.Content
          className="b-dialog"
          data-place={place}
          onOpenAutoFocus={beginAtFirstField}
          {...(description === undefined && { "aria-describedby": undefined })}
        >
          <div className="b-dialog-head">
            <Primitive.Title asChild>
              <h2>{title}</h2>
            </Primitive.Title>
            <Primitive.Close asChild>
              <Button kind="quiet" shape="square" aria-label="Close">
                <Icon name="close" />
              </Button>
            </Primitive.Close>
          </div>
          {description !== undefined && (
            <Primitive.Description asChild>
              <p className="b-soft">{description}</p>
            </Primitive.Description>
          )}
          {children}
          {actions !== undefined && <div className="b-dialog-actions">{actions}</div>}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
