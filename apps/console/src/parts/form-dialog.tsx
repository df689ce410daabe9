import { Button, Dialog } from "@butler/ui";
import { type FormEvent, type ReactNode, useId } from "react";
import { ProblemNotice } from "./problem-view.tsx";

/** Props of a form dialog. */
export interface FormDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly verb: string;
  readonly isBusy: boolean;
  readonly canSubmit?: boolean;
  /** `right` keeps the list visible, for forms with many fields. */
  readonly place?: "centre" | "right";
  /** Whether the form shows validation errors itself instead of the browser. */
  readonly noValidate?: boolean;
  readonly error: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog or drawer. Input is kept when the server rejects it. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, verb, isBusy, canSubmit = true, error, onSubmit, onClose, children } = props;
  const { place = "right", noValidate = false } = props;
  const form = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      place={place}
      title={title}
      {...(description !== undefined && { description })}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" isBusy={isBusy} disabled={!canSubmit}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} className="b-form" onSubmit={submit} noValidate={noValidate}>
        {children}
        <ProblemNotice error={error} />
      </form>
    </Dialog>
  );
}
