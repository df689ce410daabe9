import { upgradeCluster } from "@butler/contract";
import { Button, Notice, Panel, TextField, useToast } from "@butler/ui";
import { type FormEvent, useId, useState } from "react";
import { fieldErrors } from "../../../data/error-facts.ts";
import { useLiveList } from "../../../data/live.tsx";
import { useRouteMutation } from "../../../data/route-query.ts";
import { type ClusterView, versionOf } from "../../../parts/cluster-facts.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { upgrading } from "./decisions.ts";
import type { SettingsProps } from "./settings-props.ts";
import { isUpgrading, type VersionChoice, versionChoices } from "./versions.ts";

const noClusters: readonly ClusterView[] = [];
const noIntention = { refusal: undefined, request: undefined };

/** Upgrades Kubernetes, and shows which versions are not available and why. */
export function UpgradePanel({ cluster, team }: SettingsProps) {
  const [version, setVersion] = useState("");
  const listId = useId();
  const say = useToast();
  const { items } = useLiveList<ClusterView>("clusters", { team: team.name });
  const choices = versionChoices(cluster, team, items ?? noClusters);
  const upgrade = useRouteMutation(upgradeCluster, {
    onSuccess: ({ metadata, spec }) => {
      setVersion("");
      say({ kind: "done", title: `Upgrading ${metadata.name} to ${spec.kubernetesVersion ?? "the new version"}` });
    },
  });
  const { refusal, request } = version === "" ? noIntention : upgrading(cluster, team, version);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (request !== undefined) upgrade.mutate(request);
  };
  return (
    <Panel title="Upgrade">
      {isUpgrading(cluster) && (
        <Notice tone="working">
          Upgrading from {versionOf(cluster)} to {cluster.spec.kubernetesVersion}.
        </Notice>
      )}
      <form className="b-form" onSubmit={submit} noValidate>
        <TextField
          label="Kubernetes version"
          className="b-mono"
          list={listId}
          autoComplete="off"
          placeholder={cluster.spec.kubernetesVersion}
          value={version}
          error={refusal ?? fieldErrors(upgrade.error)["kubernetesVersion"]}
          hint={`Current version: ${versionOf(cluster)}. The control plane is upgraded first, then the nodes one at a time.`}
          onChange={(event) => setVersion(event.target.value.trim())}
        />
        <datalist id={listId}>
          {choices
            .filter((choice) => choice.refusal === undefined)
            .map((choice) => (
              <option key={choice.version} value={choice.version} />
            ))}
        </datalist>
        <Choices choices={choices} onChoose={setVersion} />
        <ProblemNotice error={upgrade.error} />
        <div className="b-form-actions">
          <Button type="submit" disabled={request === undefined} isBusy={upgrade.isPending}>
            Upgrade
          </Button>
        </div>
      </form>
    </Panel>
  );
}

interface ChoicesProps {
  readonly choices: readonly VersionChoice[];
  readonly onChoose: (version: string) => void;
}

function Choices({ choices, onChoose }: ChoicesProps) {
  if (choices.length === 0) return undefined;
  return (
    <ul aria-label="Known versions" className="b-form">
      {choices.map(({ version, refusal }) => (
        <li key={version}>
          {refusal === undefined ? (
            <button type="button" className="b-chip b-mono" onClick={() => onChoose(version)}>
              {version}
            </button>
          ) : (
            <span className="b-soft">
              <span className="b-mono">{version}</span>: {refusal}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
