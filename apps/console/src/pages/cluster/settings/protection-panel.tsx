import { protectCluster } from "@butler/contract";
import { CheckField, Panel, useToast } from "@butler/ui";
import { useEffect, useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { isProtected } from "./decisions.ts";
import type { SettingsProps } from "./settings-props.ts";

/** Whether the cluster is protected from deletion, as a switch: it can be turned back at any time, so nothing is asked. */
export function ProtectionPanel({ cluster }: Pick<SettingsProps, "cluster">) {
  const isOn = isProtected(cluster);
  const [wanted, setWanted] = useState<boolean>();
  const say = useToast();
  const protect = useRouteMutation(protectCluster, {
    onSuccess: () => say({ kind: "done", title: `${name} is ${wanted === true ? "" : "no longer "}protected` }),
    onError: () => setWanted(undefined),
  });
  // What was wanted is shown until the live channel tells of it; from then on, what it tells.
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
        hint="Nobody can delete the cluster, whichever way they try, until the protection is lifted."
        checked={wanted ?? isOn}
        disabled={protect.isPending}
        onChange={(event) => turn(event.target.checked)}
      />
      <ProblemNotice error={protect.error} />
    </Panel>
  );
}
