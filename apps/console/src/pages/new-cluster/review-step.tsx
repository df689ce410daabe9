import { Facts, LoadingState, Notice, Panel } from "@butler/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { readableAmount } from "../../parts/amounts.ts";
import { QueryView } from "../../parts/query-view.tsx";
import { givenAddons } from "./presets.ts";
import type { Finding } from "./findings.ts";
import type { ClusterPlan } from "./request.ts";
import { labelOf } from "./step-list.ts";
import type { StepProps } from "./step-props.ts";

// The YAML library is loaded only in this step.
const Commands = lazy(async () => ({ default: (await import("./commands-panel.tsx")).CommandsPanel }));

/** Props of the review step. */
export interface ReviewProps extends StepProps {
  readonly plan: UseQueryResult<ClusterPlan>;
  /** Whether the draft is complete enough for a dry run. */
  readonly isAskable: boolean;
}

/** Last step: the server's dry run, before anything is created. */
export function ReviewStep(props: ReviewProps) {
  const { plan, findings, isAskable } = props;
  return (
    <>
      <FindingsList findings={findings} team={props.team.name} />
      {isAskable && (
        <QueryView query={plan}>
          {(answer) => (
            <>
              {answer.isAccepted && findings.length === 0 && (
                <Notice tone="ready">Validation passed. The cluster can be created.</Notice>
              )}
              {answer.isAccepted &&
                answer.exceeded.map(({ rule, message }) => (
                  <Notice key={rule} tone="attention">
                    {message}
                  </Notice>
                ))}
              <PlanFacts {...props} answer={answer} />
            </>
          )}
        </QueryView>
      )}
      <Suspense fallback={<LoadingState lines={3} />}>
        <Commands draft={props.draft} team={props.team} />
      </Suspense>
    </>
  );
}

function FindingsList({ findings, team }: { readonly findings: readonly Finding[]; readonly team: string }) {
  if (findings.length === 0) return undefined;
  return (
    <section aria-label="Blocked by" role="alert">
      <Notice tone="failed">
        <strong>{findings.length === 1 ? "1 problem blocks" : `${findings.length} problems block`} creation.</strong>
      </Notice>
      <ul className="n-findings">
        {findings.map(({ field, message, step }) => (
          <li key={`${field} ${message}`}>
            {field !== "" && <code className="b-mono">{field}</code>} <span dir="auto">{message}</span>{" "}
            {step !== "review" && (
              <Link to="/t/$team/clusters/new" params={{ team }} search={{ step }}>
                {labelOf(step)}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PlanFacts({ draft, team, answer }: StepProps & { readonly answer: ClusterPlan }) {
  const { usage } = answer;
  const spec = answer.cluster?.spec;
  const addons = [...givenAddons(team, draft.environment).map(({ value }) => value), ...draft.addons];
  return (
    <Panel title="Summary">
      <Facts
        facts={[
          ["Cluster", <span key="name" className="b-mono">{`${team.namespace}/${draft.name}`}</span>],
          ["Environment", draft.environment === "" ? "None" : draft.environment],
          ["Provider", spec?.providerConfigRef?.name ?? "Team or platform default"],
          ...(spec === undefined ? [] : specRows(spec)),
          ...(usage === undefined ? [] : usageRows(usage)),
          ["Additional add-ons", addons.length === 0 ? "None" : addons.join(", ")],
        ]}
      />
    </Panel>
  );
}

type Row = readonly [string, ReactNode];

function specRows({ kubernetesVersion, workers, networking }: NonNullable<ClusterPlan["cluster"]>["spec"]): Row[] {
  return [
    ["Kubernetes", kubernetesVersion],
    ["Operating system", workers.machineTemplate.os.type],
    ["Pod network", networking.podCIDR],
    ["Service network", networking.serviceCIDR],
  ];
}

function usageRows({ nodes, cpu, memory, storage }: NonNullable<ClusterPlan["usage"]>): Row[] {
  return [
    ["Worker nodes", String(nodes)],
    ["CPU cores", cpu],
    ["Memory", readableAmount(memory)],
    ["Disk", readableAmount(storage)],
  ];
}
