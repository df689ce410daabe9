import { isProtected } from "@butler/cluster-operations";
import { protectCluster } from "@butler/contract";
import { CheckField, Panel, useToast } from "@butler/ui";
import { useEffect, useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import type { SettingsProps } from "./settings-props.ts";

/** Switch for deletion protection. It is reversible, so it needs no confirmation. */
export function ProtectionPanel({ cluster }: Pick<SettingsProps, "cluster">) {
  const isOn = isProtected(cluster);
  const [wanted, setWanted] = useState<boolean>();
  const say = useToast();
  const protect = useRouteMutation(protectCluster, {
    onSuccess: () => say({ kind: "done", title: `${name} is ${wanted === true ? "" : "no longer "}protected` }),
    onError: () => setWanted(undefined),
  });
  // Shows the requested state until the live channel confirms it.
  useEffect(() => setWanted(undefined), [isOn]);
  const { namespace = "", name } = cluster.metadata;
  const turn = (enabled: boolean): void => {
    setWanted(enabled);
    protect.mutate({ params: { namespace, name }, body: { enabled } });
  };
  return (
    <Panel title="Protection">
      <CheckField
        role="switch"
        label="Protected from deletion"
        hint="No client can delete the cluster until you turn protection off."
        checked={wanted ?? isOn}
        disabled={protect.isPending}
        onChange={(event) => turn(event.target.checked)}
      />
      <ProblemNotice error={protect.error} />
    </Panel>
  );
}
