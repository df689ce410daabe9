import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** Props of a dialog. */
export interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** One sentence under the title. */
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons at the end, the confirming one last. */
  readonly actions?: ReactNode;
  /** `right` is a drawer for row details: the list stays visible. */
  readonly place?: "centre" | "right";
}

/** Focuses the first field instead of the close button, which comes first in the DOM. */
function beginAtFirstField(event: Event): void {
  if (!(event.target instanceof HTMLElement)) return;
  const field = event.target.querySelector<HTMLElement>("input, select, textarea");
  event.preventDefault();
  (field ?? event.target).focus();
}

/**
 * A dialog that traps and restores focus. The backdrop is our own: the library's injects a style element, which our
 * content security policy forbids.
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
