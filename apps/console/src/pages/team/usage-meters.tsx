import { Meter, Notice } from "@butler/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import { QueryView } from "../../parts/query-view.tsx";
import type { TeamView } from "../../session/me.ts";
import { type TeamUsage, usageBars } from "./usage.ts";

/** Props of the meters. */
export interface UsageMetersProps {
  readonly usage: UseQueryResult<TeamUsage>;
  readonly view: TeamView;
}

/** Usage of a team, one bar per limit. */
export function UsageMeters({ usage, view }: UsageMetersProps) {
  return (
    <QueryView query={usage}>
      {(answer) => (
        <>
          {answer.status !== "OK" && (
            <Notice tone={answer.status === "Exceeded" ? "failed" : "attention"}>{sentence(answer.message)}</Notice>
          )}
          {usageBars(answer, view.resourceLimits).map(({ label, percent, words }) => (
            <Meter
              key={label}
              label={label}
              used={percent ?? 0}
              limit={percent === undefined ? undefined : 100}
              words={words}
            />
          ))}
          {answer.status === "OK" && <p className="b-soft">{sentence(answer.message)}</p>}
        </>
      )}
    </QueryView>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
