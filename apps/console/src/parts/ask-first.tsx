import { Button, Dialog, TextField } from "@butler/ui";
import { type FormEvent, useState } from "react";
import { ProblemNotice } from "./problem-view.tsx";

/** Props of a confirmation dialog for an irreversible action. */
export interface AskFirstProps {
  readonly title: string;
  /** What is deleted and what is kept. */
  readonly sentence: string;
  /** Name to type for confirmation; undefined if not required. */
  readonly wantedName?: string | undefined;
  /** Label of the button. */
  readonly confirm: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation; for large deletions, by typing the name. */
export function AskFirst({ title, sentence, wantedName, confirm, ...rest }: AskFirstProps) {
  const { isBusy, error, onConfirm, onClose } = rest;
  const [written, setWritten] = useState("");
  const isSure = wantedName === undefined || written === wantedName;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSure) onConfirm();
  };
  return (
    <Dialog isOpen onClose={onClose} title={title} description={sentence}>
      <form className="b-form" onSubmit={submit}>
        {wantedName !== undefined && (
          <TextField
            label={`Type ${wantedName} to confirm`}
            className="b-mono"
            autoComplete="off"
            spellCheck={false}
            value={written}
            onChange={(event) => setWritten(event.target.value)}
          />
        )}
        <ProblemNotice error={error} />
        <div className="b-dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" isBusy={isBusy} disabled={!isSure}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
