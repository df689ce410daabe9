import { Button } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { neighbourOf, type StepId } from "./step-list.ts";

interface StepFormProps {
  readonly onSubmit: (event: FormEvent) => void;
  readonly children: ReactNode;
}

/** Focuses the first field of each step, for keyboard use. */
export function StepForm({ onSubmit, children }: StepFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    (form.current?.querySelector<HTMLElement>("input, select, textarea") ?? form.current)?.focus();
  }, []);
  return (
    <form ref={form} className="b-form" tabIndex={-1} onSubmit={onSubmit} noValidate>
      {children}
    </form>
  );
}

interface ActionsProps {
  readonly step: StepId | "yaml";
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onBack: (step: StepId) => void;
}

/** The Back and Next buttons, and at the end Create cluster. */
export function Actions({ step, isReady, isBusy, onBack }: ActionsProps) {
  const before = step === "yaml" ? undefined : neighbourOf(step, -1);
  return (
    <div className="b-form-actions">
      {before !== undefined && <Button onClick={() => onBack(before)}>Back</Button>}
      {step === "review" ? (
        <Button type="submit" kind="primary" disabled={!isReady} isBusy={isBusy}>
          Create cluster
        </Button>
      ) : (
        <Button type="submit" kind="primary">
          {step === "yaml" ? "Review" : "Next"}
        </Button>
      )}
    </div>
  );
}

interface ViewSwitchProps {
  readonly team: string;
  readonly view: "yaml" | undefined;
  readonly onDiscard: () => void;
}

/** Switches between form and YAML, and discards the draft. */
export function ViewSwitch({ team, view, onDiscard }: ViewSwitchProps) {
  return (
    <>
      <Link
        className="b-button"
        to="/t/$team/clusters/new"
        params={{ team }}
        search={(before) => ({ ...before, view: view === undefined ? ("yaml" as const) : undefined })}
      >
        {view === undefined ? "Edit as YAML" : "Back to form"}
      </Link>
      <Button kind="quiet" onClick={onDiscard}>
        Start over
      </Button>
    </>
  );
}
