import { Button, Dialog, Notice, TextField } from "@butler/ui";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { ProblemNotice } from "../../../parts/problem-view.tsx";

/** Props of the confirmation dialog. */
export interface ConfirmByNameProps {
  /** Such as `Delete team`. */
  readonly title: string;
  readonly name: string;
  /** What is deleted and what is kept, one line each. */
  readonly effects: readonly ReactNode[];
  /** Why the action is blocked; confirming is disabled then. */
  readonly refusal?: string | undefined;
  readonly verb?: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Lists the effects and requires typing the name, so that one click cannot delete anything. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { title, name, effects, refusal, verb = "Delete", isBusy, error, onConfirm, onClose } = props;
  const form = useId();
  const [written, setWritten] = useState("");
  const isSure = written === name && refusal === undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSure) onConfirm();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="danger" isBusy={isBusy} disabled={!isSure}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} className="b-form" onSubmit={submit}>
        <ul>
          {effects.map((effect, index) => (
            <li key={index}>{effect}</li>
          ))}
        </ul>
        {refusal === undefined ? (
          <TextField
            label={
              <>
                Type <code>{name}</code> to confirm
              </>
            }
            autoComplete="off"
            autoFocus
            className="b-mono"
            value={written}
            onChange={(event) => setWritten(event.target.value)}
          />
        ) : (
          <Notice tone="attention">{refusal}</Notice>
        )}
        <ProblemNotice error={error} />
      </form>
    </Dialog>
  );
}
