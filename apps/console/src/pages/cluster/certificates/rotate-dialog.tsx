import { listCertificates, rotateCertificates } from "@butler/contract";
import { Button, Dialog, Notice, SelectField, TextField } from "@butler/ui";
import { useState } from "react";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { useAnnouncedMutation } from "../../../parts/use-announced-mutation.ts";
import type { ClusterKey } from "../queries.ts";
import { rotationBody, rotations, type RotationType } from "./certificate-facts.ts";

/** The cluster, and whether the user may rotate the CA. */
export interface RotateDialogProps {
  readonly cluster: ClusterKey;
  /** CA rotation requires the admin role. */
  readonly mayReplaceAuthority: boolean;
  readonly onClose: () => void;
}

/** Selects the rotation type and shows its consequences. A CA rotation requires typing the cluster name. */
export function RotateDialog({ cluster, mayReplaceAuthority, onClose }: RotateDialogProps) {
  const [type, setType] = useState<RotationType>("kubeconfigs");
  const [typed, setTyped] = useState("");
  const rotate = useAnnouncedMutation(rotateCertificates, { refreshes: [listCertificates], onDone: onClose });
  const choices = rotations.filter((each) => each.type !== "ca" || mayReplaceAuthority);
  const chosen = choices.find((each) => each.type === type);
  const body = rotationBody(type, { typed, cluster: cluster.name });
  return (
    <Dialog
      isOpen
      title="Rotate certificates"
      description={`Reissues certificates for ${cluster.name}.`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={type === "ca" ? "danger" : "primary"}
            isBusy={rotate.isPending}
            disabled={body === undefined}
            onClick={() => body !== undefined && rotate.mutate({ params: { ...cluster }, body })}
          >
            Rotate
          </Button>
        </>
      }
    >
      <SelectField
        label="Scope"
        value={type}
        options={choices.map(({ type: value, label }) => ({ value, label }))}
        onChange={({ target }) => setType(choices.find((each) => each.type === target.value)?.type ?? "kubeconfigs")}
        {...(!mayReplaceAuthority && { hint: "Only team and platform admins can rotate the CA." })}
      />
      {chosen !== undefined && (
        <Notice tone={type === "ca" ? "failed" : "asleep"}>
          <span>{chosen.consequence}</span>
        </Notice>
      )}
      {type === "ca" && (
        <TextField
          label={`Type ${cluster.name} to confirm`}
          className="b-mono"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <ProblemNotice error={rotate.error} />
    </Dialog>
  );
}
