import { changeAddon, getAddon } from "@butler/contract";
import { Button, Dialog, Facts, Moment, StatusBadge } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { useRouteMutation, routeQuery } from "../../../data/route-query.ts";
import {
  addonState,
  type AddonView,
  type CatalogEntry,
  fixedBecause,
  openUpgrade,
} from "../../../parts/addon-facts.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { QueryView } from "../../../parts/query-view.tsx";
import { useRefetchWhen } from "../../../parts/use-refetch-when.ts";
import { refusalOf, type UserRoles } from "../../../session/user-roles.ts";
import type { ClusterKey } from "../queries.ts";
import { ChangeVersion, RemoveAddon, RollBack } from "./addon-tasks.tsx";
import type { AddonTask } from "./addons-search.ts";
import { ConfigureAddon } from "./configure-addon.tsx";
import { ValueOrigins } from "./value-origins.tsx";

/** The open add-on and the current task. */
export interface AddonDrawerProps {
  readonly cluster: ClusterKey;
  /** From the live channel, without values. */
  readonly live: AddonView;
  readonly entry: CatalogEntry | undefined;
  readonly task: AddonTask | undefined;
  readonly roles: UserRoles;
  readonly onTask: (task: AddonTask | undefined) => void;
  readonly onClose: () => void;
}

const tasks = { configure: ConfigureAddon, version: ChangeVersion, rollback: RollBack, remove: RemoveAddon } as const;
const titles = {
  configure: "Configure",
  version: "Change version of",
  rollback: "Roll back",
  remove: "Disable",
} as const;

/** Details of an add-on in a drawer, where its tasks are carried out as well. */
export function AddonDrawer({ cluster, live, entry, task, roles, onTask, onClose }: AddonDrawerProps) {
  const query = useQuery(addonQuery(cluster, live.name));
  useRefetchWhen(live.resourceVersion, () => query.refetch());
  const refusal = fixedBecause(live) ?? refusalOf(changeAddon, roles);
  const allowed = refusal === undefined ? task : undefined;
  const Task = allowed === undefined ? undefined : tasks[allowed];
  return (
    <Dialog
      isOpen
      place="right"
      title={allowed === undefined ? live.displayName : `${titles[allowed]} ${live.displayName}`}
      onClose={onClose}
    >
      <QueryView query={query}>
        {({ values, resourceVersion }) =>
          Task === undefined ? (
            <AddonDetails
              cluster={cluster}
              addon={{ ...live, values }}
              entry={entry}
              refusal={refusal}
              onTask={onTask}
            />
          ) : (
            <Task
              cluster={cluster}
              addon={{ ...live, values, resourceVersion }}
              entry={entry}
              onDone={() => onTask(undefined)}
            />
          )
        }
      </QueryView>
    </Dialog>
  );
}

interface AddonDetailsProps {
  readonly cluster: ClusterKey;
  readonly addon: AddonView;
  readonly entry: CatalogEntry | undefined;
  readonly refusal: string | undefined;
  readonly onTask: (task: AddonTask) => void;
}

function AddonDetails({ cluster, addon, entry, refusal, onTask }: AddonDetailsProps) {
  const { tone, word } = addonState(addon);
  const upgrade = openUpgrade(addon, entry);
  return (
    <>
      <StatusBadge tone={tone}>{word}</StatusBadge>
      {addon.status.message !== "" && <p dir="auto">{addon.status.message}</p>}
      {refusal === undefined ? (
        <div className="c-task-buttons">
          <Button onClick={() => onTask("configure")}>Configure</Button>
          <Button onClick={() => onTask("version")}>
            {upgrade === undefined ? "Change version" : `Upgrade to ${upgrade}`}
          </Button>
          <Button onClick={() => onTask("rollback")}>Roll back</Button>
          <PauseButton cluster={cluster} addon={addon} />
          <Button kind="danger-quiet" onClick={() => onTask("remove")}>
            Disable
          </Button>
        </div>
      ) : (
        <p className="b-soft">Read-only. {refusal}</p>
      )}
      <Facts facts={factsOf(addon)} />
      <ValueOrigins values={addon.values} schema={entry?.valuesSchema} />
    </>
  );
}

/** Pauses or resumes an add-on. This is reversible, so it needs no confirmation. */
function PauseButton({ cluster, addon }: Pick<AddonDetailsProps, "cluster" | "addon">) {
  const change = useRouteMutation(changeAddon, { refreshes: [getAddon] });
  const params = { ...cluster, addon: addon.name };
  return (
    <>
      <Button isBusy={change.isPending} onClick={() => change.mutate({ params, body: { paused: !addon.paused } })}>
        {addon.paused ? "Resume" : "Pause"}
      </Button>
      <ProblemNotice error={change.error} />
    </>
  );
}

function factsOf({ name, addon, version, status, helm, managedBy, rollbackTo, createdAt }: AddonView) {
  return [
    ["Name", name],
    ["Catalog entry", addon],
    ["Requested version", version === "" ? "catalog default" : version],
    ["Installed version", status.installedVersion],
    ["Revision", status.revision],
    ["Pinned to revision", rollbackTo],
    ["Chart", helm && `${helm.chart} from ${helm.repository}`],
    ["Namespace", helm?.namespace],
    ["Managed by", managedBy],
    ["Enabled", createdAt === undefined ? undefined : <Ago key="at" at={createdAt} />],
  ] as const;
}

function Ago({ at }: { readonly at: string }) {
  return (
    <span>
      <Moment at={at} /> ago
    </span>
  );
}

/** Fetches an add-on with its values, which the live channel omits. */
const addonQuery = ({ namespace, name }: ClusterKey, addon: string) =>
  routeQuery(getAddon, { params: { namespace, name, addon } });
