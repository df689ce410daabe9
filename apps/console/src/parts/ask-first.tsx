import { Button, Dialog, TextField } from "@butler/ui";
import { type FormEvent, useState } from "react";
import { ProblemNotice } from "./problem-view.tsx";

/** What somebody is asked before something is done that cannot be taken back. */
export interface AskFirstProps {
  readonly title: string;
  /** What goes and what stays. */
  readonly sentence: string;
  /** What has to be written before it is done; nothing when absent. */
  readonly wantedName?: string | undefined;
  /** What the button says. */
  readonly confirm: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Says what will happen and waits for a yes; for what is large, for the name. */
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
            label={`Write ${wantedName} to go on`}
            className="b-mono"
            autoComplete="off"
            spellCheck={false}
            value={written}
            onChange={(event) => setWritten(event.target.value)}
          />
        )}
        <ProblemNotice error={error} />
        <div className="b-dialog-actions">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" kind="danger" isBusy={isBusy} disabled={!isSure}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
