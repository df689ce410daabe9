import { changeAddon, getAddon } from "@butler/contract";
import { Button, Dialog, Facts, Moment, StatusBadge } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { useRouteMutation } from "../../../data/route-query.ts";
import {
  addonState,
  type AddonView,
  type CatalogueEntry,
  fixedBecause,
  openUpgrade,
} from "../../../parts/addon-facts.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { QueryView } from "../../../parts/query-view.tsx";
import { useRefetchWhen } from "../../../parts/use-refetch-when.ts";
import { refusalOf, type Standing } from "../../../session/standing.ts";
import type { ClusterKey } from "../queries.ts";
import { addonQuery } from "./addon-queries.ts";
import { ChangeVersion, RemoveAddon, RollBack } from "./addon-tasks.tsx";
import type { AddonTask } from "./addons-search.ts";
import { ConfigureAddon } from "./configure-addon.tsx";
import { ValueOrigins } from "./value-origins.tsx";

/** The add-on that is open, and what is being done with it. */
export interface AddonDrawerProps {
  readonly cluster: ClusterKey;
  /** As the live channel tells it: without values. */
  readonly live: AddonView;
  readonly entry: CatalogueEntry | undefined;
  readonly task: AddonTask | undefined;
  readonly standing: Standing;
  readonly onTask: (task: AddonTask | undefined) => void;
  readonly onClose: () => void;
}

const tasks = { configure: ConfigureAddon, version: ChangeVersion, rollback: RollBack, remove: RemoveAddon } as const;
const titles = { configure: "Configure", version: "Version of", rollback: "Roll back", remove: "Disable" } as const;

/** Details of an add-on beside the list; whatever is done with it is done in the same place. */
export function AddonDrawer({ cluster, live, entry, task, standing, onTask, onClose }: AddonDrawerProps) {
  const query = useQuery(addonQuery(cluster, live.name));
  useRefetchWhen(live.resourceVersion, () => query.refetch());
  const refusal = fixedBecause(live) ?? refusalOf(changeAddon, standing);
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
  readonly entry: CatalogueEntry | undefined;
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
        <p className="b-soft">Nothing can be changed here. {refusal}</p>
      )}
      <Facts facts={factsOf(addon)} />
      <ValueOrigins values={addon.values} schema={entry?.valuesSchema} />
    </>
  );
}

/** Leaves an add-on as it is, or looks after it again. It can be taken back at any time, so nothing is asked. */
function PauseButton({ cluster, addon }: Pick<AddonDetailsProps, "cluster" | "addon">) {
  const change = useRouteMutation(changeAddon, { refreshes: [getAddon] });
  const params = { ...cluster, addon: addon.name };
  return (
    <>
      <Button isBusy={change.isPending} onClick={() => change.mutate({ params, body: { paused: !addon.paused } })}>
        {addon.paused ? "Look after it again" : "Leave it as it is"}
      </Button>
      <ProblemNotice error={change.error} />
    </>
  );
}

function factsOf({ name, addon, version, status, helm, managedBy, rollbackTo, createdAt }: AddonView) {
  return [
    ["Name", name],
    ["Catalogue entry", addon],
    ["Version asked for", version === "" ? "the catalogue's" : version],
    ["Version that runs", status.installedVersion],
    ["Revision", status.revision],
    ["Held at revision", rollbackTo],
    ["Chart", helm && `${helm.chart} from ${helm.repository}`],
    ["Namespace", helm?.namespace],
    ["Looked after by", managedBy],
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
