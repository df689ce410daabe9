import { getTeamUsage } from "@butler/contract";
import { Meter, Panel } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery } from "../../data/route-query.ts";
import { QueryView } from "../../parts/query-view.tsx";
import { addressesOf, quotaRows } from "./quota.ts";
import { chosenProvider, type StepProps } from "./step-props.ts";

/** Quota usage with the new cluster, shown beside every step. */
export function QuotaPanel(props: StepProps) {
  const { draft, team } = props;
  const usage = useQuery(routeQuery(getTeamUsage, { params: { team: team.name } }));
  const addresses = addressesOf(draft, team, chosenProvider(props));
  return (
    <Panel title="Quota">
      <QueryView query={usage}>
        {(used) => {
          const rows = quotaRows(draft, team, used);
          if (rows === undefined) return <p className="b-soft">Fix invalid values to calculate the quota.</p>;
          return rows.map(({ label, ...amounts }) => <Meter key={label} label={label} {...amounts} />);
        }}
      </QueryView>
      {addresses !== undefined && (
        <Meter
          label="Free provider addresses"
          used={0}
          asked={addresses.asked}
          limit={addresses.left}
          words={`about ${addresses.asked} requested of ${addresses.left} free`}
        />
      )}
    </Panel>
  );
}
