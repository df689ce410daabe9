import { createEnvironment } from "@butler/contract";
import { Button, EmptyState, Icon, Notice, Page } from "@butler/ui";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useActions } from "../../app/actions.tsx";
import { environmentOf } from "../../parts/cluster-facts.ts";
import { isAllowed, refusalOf } from "../../session/user-roles.ts";
import { EnvironmentDeletion } from "./environment-deletion.tsx";
import { EnvironmentDialog } from "./environment-dialog.tsx";
import type { EnvironmentView } from "./environment-form.ts";
import { EnvironmentPanel } from "./environment-panel.tsx";
import { useTeam, useTeamClusters } from "./use-team.ts";

const route = getRouteApi("/signed-in/t/$team/environments");

/** The environments of the team. */
export function EnvironmentsPage() {
  const { team, view, roles } = useTeam();
  const navigate = route.useNavigate();
  const [leaving, setLeaving] = useState<string>();
  const go = (search: { readonly edit?: string; readonly open?: "make" }): void =>
    void navigate({ search: ({ env }) => ({ ...(env && { env }), ...search }) });
  const refusal = refusalOf(createEnvironment, roles);
  const mayChange = isAllowed(createEnvironment, roles);
  const actions = useMemo(
    () =>
      mayChange
        ? [{ id: "make-environment", label: "Create environment", keys: "c", perform: () => go({ open: "make" }) }]
        : [],
    // The navigate function is stable across renders.
    [mayChange],
  );
  useActions(actions);
  const make = mayChange && (
    <Button kind="primary" onClick={() => go({ open: "make" })}>
      <Icon name="plus" /> Create environment
    </Button>
  );
  return (
    <Page title="Environments" actions={view.environments.length > 0 ? make : undefined}>
      {refusal !== undefined && <p className="b-soft">Changing environments {refusal.toLowerCase()}</p>}
      {view.environments.length === 0 ? (
        <EmptyState
          title="No environments yet"
          sentence="Environments such as dev and prod group the team's clusters, each with its own limits and defaults."
          action={make}
        />
      ) : (
        <Environments
          onEdit={mayChange ? (name) => go({ edit: name }) : undefined}
          onDelete={mayChange ? setLeaving : undefined}
        />
      )}
      {mayChange && <OpenForm onClose={() => go({})} />}
      {leaving !== undefined && (
        <EnvironmentDeletion team={team} name={leaving} onClose={() => setLeaving(undefined)} />
      )}
    </Page>
  );
}

/** The form requested by the URL, if any. */
function OpenForm({ onClose }: { readonly onClose: () => void }) {
  const { team, view } = useTeam();
  const { edit, open } = route.useSearch();
  const edited = view.environments.find(({ name }) => name === edit);
  if (edit !== undefined && edited === undefined) {
    return <Notice tone="attention">Environment {edit} no longer exists in this team.</Notice>;
  }
  if (edited === undefined && open !== "make") return undefined;
  const { environments: all } = view;
  return <EnvironmentDialog key={edit ?? ""} team={team} environment={edited} all={all} onClose={onClose} />;
}

interface EnvironmentsProps {
  readonly onEdit: ((name: string) => void) | undefined;
  readonly onDelete: ((name: string) => void) | undefined;
}

function Environments({ onEdit, onDelete }: EnvironmentsProps) {
  const { team, view } = useTeam();
  const { items: clusters } = useTeamClusters(team);
  const countOf = ({ name, clusterCount }: EnvironmentView): number =>
    clusters?.filter((cluster) => environmentOf(cluster) === name).length ?? clusterCount;
  return (
    <div className="b-grid">
      {view.environments.map((environment) => (
        <EnvironmentPanel
          key={environment.name}
          team={team}
          environment={environment}
          count={countOf(environment)}
          {...(onEdit && { onEdit: () => onEdit(environment.name) })}
          {...(onDelete && { onDelete: () => onDelete(environment.name) })}
        />
      ))}
    </div>
  );
}
