import { Button, Chip, Facts, Meter, Panel } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import { defaultsWords } from "./cluster-defaults.ts";
import { environmentDraft, type EnvironmentView } from "./environment-form.ts";

/** Props of the panel; the callbacks require permission. */
export interface EnvironmentPanelProps {
  readonly team: string;
  readonly environment: EnvironmentView;
  readonly count: number;
  readonly onEdit?: () => void;
  readonly onDelete?: () => void;
}

/** An environment: limits, cluster defaults and additional roles. */
export function EnvironmentPanel({ team, environment, count, onEdit, onDelete }: EnvironmentPanelProps) {
  const { name, description = "" } = environment;
  const { maxClusters, maxClustersPerMember, access } = environmentDraft(environment);
  const limit = maxClusters === "" ? undefined : Number(maxClusters);
  return (
    <Panel
      title={name}
      aside={
        <Link to="/t/$team/clusters" params={{ team }} search={{ env: name }}>
          Clusters
        </Link>
      }
    >
      {description !== "" && (
        <p className="b-soft" dir="auto">
          {description}
        </p>
      )}
      <Meter
        label="Clusters"
        used={count}
        limit={limit}
        words={limit === undefined ? `${count}, no limit` : `${count} of ${limit}`}
      />
      <Facts
        facts={[
          ["Limit per member", maxClustersPerMember === "" ? "no limit" : `at most ${maxClustersPerMember}`],
          ["Cluster defaults", defaultsWords(environment.clusterDefaults) || "same as the team"],
          [
            "Additional roles",
            access.length === 0
              ? undefined
              : access.map((entry) => (
                  <Chip key={entry.id}>
                    {entry.name}: {entry.role}
                  </Chip>
                )),
          ],
        ]}
      />
      {onEdit !== undefined && (
        <div className="b-form-actions">
          <Button onClick={onEdit} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          <Button
            kind="quiet"
            onClick={onDelete}
            disabled={count > 0}
            aria-label={`Delete ${name}`}
            title={count > 0 ? "Move or delete its clusters first." : undefined}
          >
            Delete…
          </Button>
          {count > 0 && <span className="b-soft">To delete it, move or delete its clusters first.</span>}
        </div>
      )}
    </Panel>
  );
}
