import { Link } from "@tanstack/react-router";
import type { Draft } from "./draft.ts";
import type { Finding } from "./findings.ts";
import { type StepId, steps } from "./step-list.ts";

/** Props of the step navigation. */
export interface StepLinksProps {
  readonly team: string;
  readonly step: StepId | "yaml";
  readonly findings: readonly Finding[];
  readonly draft: Draft;
}

/** Links to the steps, each reachable at any time and marked if it has errors. */
export function StepLinks({ team, step, findings, draft }: StepLinksProps) {
  // An empty name is not shown as an error.
  const shown = findings.filter(({ field }) => field !== "name" || draft.name !== "");
  return (
    <nav aria-label="Steps">
      <ol className="n-steps">
        {steps.map(({ id, label }, at) => (
          <li key={id}>
            <Link
              to="/t/$team/clusters/new"
              params={{ team }}
              search={(before) => ({ ...before, step: id, view: undefined })}
              aria-current={id === step ? "step" : undefined}
            >
              <span className="b-numbers">{at + 1}</span>
              {label}
              {shown.some((finding) => finding.step === id) && (
                <span className="n-fault">
                  <span aria-hidden="true">▲</span>
                  <span className="b-unseen">: has errors</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
