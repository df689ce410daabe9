import { type BriefCluster, createCluster, listTeamProviders, planCluster } from "@butler/contract";
import { ForbiddenState, LoadingState, Page, Panel } from "@butler/ui";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { useLiveList } from "../../data/live.tsx";
import { routeQuery } from "../../data/route-query.ts";
import { mayOperate } from "../../parts/operating.ts";
import { ProblemNotice } from "../../parts/problem-view.tsx";
import { teamQuery, type TeamView, useMe } from "../../session/me.ts";
import { refusalOf, rolesOf } from "../../session/user-roles.ts";
import { AddonsStep } from "./addons-step.tsx";
import type { Draft } from "./draft.ts";
import { answerFindings, type Finding, ownFindings, planFindings, stillApplying } from "./findings.ts";
import { NetworkStep } from "./network-step.tsx";
import { PlaceStep } from "./place-step.tsx";
import { PoolsStep } from "./pools-step.tsx";
import { QuotaPanel } from "./quota-panel.tsx";
import type { Provider } from "./quota.ts";
import { type ClusterPlan, requestOf } from "./request.ts";
import { type ReviewProps, ReviewStep } from "./review-step.tsx";
import { labelOf, neighbourOf, type StepId } from "./step-list.ts";
import { StepLinks } from "./step-links.tsx";
import type { StepProps } from "./step-props.ts";
import { useCreation } from "./use-creation.ts";
import { useDraft } from "./use-draft.ts";
import { VersionStep } from "./version-step.tsx";
import { Actions, StepForm, ViewSwitch } from "./wizard-parts.tsx";
import "./new-cluster.css";

const route = getRouteApi("/signed-in/t/$team/clusters/new");
const teamApi = getRouteApi("/signed-in/t/$team");

// The YAML library is large, and this view is rarely opened.
const Yaml = lazy(async () => ({ default: (await import("./yaml-view.tsx")).YamlView }));

/** The wizard that creates a cluster. */
export function NewClusterPage() {
  const loaded = teamApi.useLoaderData();
  // Refetched if stale: the cluster count of environments matters here.
  const { data: team = loaded } = useQuery(teamQuery(loaded.name));
  const me = useMe();
  if (mayOperate({ me, team })) return <Wizard key={team.name} team={team} />;
  const sentence = refusalOf(createCluster, rolesOf(me, team.name)) ?? "";
  return (
    <Page title="New cluster">
      <ForbiddenState sentence={`${sentence} Ask a team admin.`} />
    </Page>
  );
}

const stepViews: Readonly<Record<Exclude<StepId, "review">, (props: StepProps) => ReactNode>> = {
  place: PlaceStep,
  version: VersionStep,
  pools: PoolsStep,
  network: NetworkStep,
  addons: AddonsStep,
};

function Wizard({ team }: { readonly team: TeamView }) {
  const { step = "place", view, env } = route.useSearch();
  const shown = view ?? step;
  const navigate = route.useNavigate();
  const { draft, onDraft, onDiscard, generation } = useDraft(team.name, env);
  const providers = useQuery(routeQuery(listTeamProviders, { params: { team: team.name }, query: { limit: 500 } }));
  const creation = useCreation({ team: team.name, onMade: onDiscard });
  // During creation the name is taken by the new cluster itself.
  const own = useOwnFindings(draft, creation.isMaking ? undefined : team.name);
  const plan = usePlan({ draft, team, isWanted: shown === "review" && own.length === 0 });
  const findings = [...own, ...useAnswered({ plan, creationError: creation.error }, draft)];
  const known = providers.data?.providers as readonly Provider[] | undefined;
  const props: StepProps = { draft, onDraft, team, findings, providers: known };
  const next = shown === "yaml" ? "review" : neighbourOf(shown, 1);
  const isReady = findings.length === 0 && isAccepted(plan);
  const go = (to: StepId): void => void navigate({ search: (before) => ({ ...before, step: to, view: undefined }) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (next !== undefined) go(next);
    // The notice shows the error.
    else if (isReady) void creation.perform(draft).catch(() => undefined);
  };
  return (
    <Page title="New cluster" actions={<ViewSwitch team={team.name} view={view} onDiscard={onDiscard} />}>
      <div className="n-wizard">
        <StepLinks team={team.name} step={shown} findings={findings} draft={draft} />
        <Panel title={labelOf(shown)}>
          <StepForm key={`${shown} ${generation}`} onSubmit={submit}>
            <StepBody {...props} step={shown} plan={plan} isAskable={own.length === 0} />
            <ProblemNotice error={creation.error ?? providers.error} />
            <Actions step={shown} isReady={isReady} isBusy={creation.isMaking} onBack={go} />
          </StepForm>
        </Panel>
        <QuotaPanel {...props} />
      </div>
    </Page>
  );
}

function StepBody({ step, ...props }: ReviewProps & { readonly step: StepId | "yaml" }) {
  if (step === "review") return <ReviewStep {...props} />;
  if (step === "yaml") {
    return (
      <Suspense fallback={<LoadingState />}>
        <Yaml {...props} />
      </Suspense>
    );
  }
  const StepView = stepViews[step];
  return <StepView {...props} />;
}

function isAccepted({ data, isFetching }: UseQueryResult<ClusterPlan>): boolean {
  return data?.isAccepted === true && !isFetching;
}

interface PlanWanted {
  readonly draft: Draft;
  readonly team: TeamView;
  readonly isWanted: boolean;
}

/** Requests a dry run of the draft from the server. */
function usePlan({ draft, team, isWanted }: PlanWanted): UseQueryResult<ClusterPlan> {
  const question = routeQuery(planCluster, { body: requestOf(draft, team) });
  return useQuery({ ...question, enabled: isWanted, staleTime: 0, retry: false });
}

/** Client-side findings; taken names come from the live channel. */
function useOwnFindings(draft: Draft, team: string | undefined): readonly Finding[] {
  const { items } = useLiveList<BriefCluster>("clusters", team === undefined ? undefined : { team, isBrief: true });
  const taken = useMemo(
    () => new Set(team === undefined ? [] : (items ?? []).map(({ metadata }) => metadata.name)),
    [items, team],
  );
  return useMemo(() => ownFindings(draft, taken), [draft, taken]);
}

interface Answers {
  readonly plan: UseQueryResult<ClusterPlan>;
  readonly creationError: Error | null;
}

/** The last findings of the server, while their fields are unchanged; shown in all steps. */
function useAnswered({ plan, creationError }: Answers, draft: Draft): readonly Finding[] {
  const [asked, setAsked] = useState<{ readonly findings: readonly Finding[]; readonly draft: Draft }>();
  const latest = useRef(draft);
  latest.current = draft;
  useEffect(() => {
    if (plan.data === undefined && plan.error === null) return;
    const findings = plan.data === undefined ? answerFindings(fieldErrors(plan.error)) : planFindings(plan.data);
    setAsked({ findings, draft: latest.current });
    // The timestamps distinguish identical responses.
  }, [plan.data, plan.error, plan.dataUpdatedAt, plan.errorUpdatedAt]);
  useEffect(() => {
    if (creationError !== null)
      setAsked({ findings: answerFindings(fieldErrors(creationError)), draft: latest.current });
  }, [creationError]);
  return asked === undefined ? [] : stillApplying(asked.findings, asked.draft, draft);
}
