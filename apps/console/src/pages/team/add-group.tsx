import { addGroup, getTeam, listGroups, listMembers, newGroup } from "@butler/contract";
import { TextField, useToast } from "@butler/ui";
import { useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { useRouteMutation } from "../../data/route-query.ts";
import { bodyFaults } from "../../parts/body-faults.ts";
import { AddToTeamDialog, useAddToTeam } from "./add-to-team-dialog.tsx";

/** Grants a role in the team to all members of an identity provider group. */
export function AddGroupDialog({ team, onClose }: { readonly team: string; readonly onClose: () => void }) {
  const toast = useToast();
  const [name, setName] = useState("");
  const [provider, setProvider] = useState("");
  const { role, wasSent, propsFor } = useAddToTeam(onClose);
  const add = useRouteMutation(addGroup, {
    refreshes: [listGroups, listMembers, getTeam],
    onSuccess: () => {
      onClose();
      toast({ kind: "done", title: `Group ${name.trim()} added` });
    },
  });
  const body = { name: name.trim(), role, ...(provider.trim() !== "" && { identityProvider: provider.trim() }) };
  const faults = bodyFaults(newGroup, body);
  const send = (): void => {
    if (Object.keys(faults).length === 0) add.mutate({ params: { team }, body });
  };
  const shown = wasSent ? { ...fieldErrors(add.error), ...faults } : {};
  return (
    <AddToTeamDialog title="Add group" description="Members get access when they sign in." {...propsFor(add, send)}>
      <TextField
        label="Group"
        hint="Group name in the identity provider. Not case-sensitive."
        autoComplete="off"
        required
        value={name}
        error={shown["name"] === undefined || name.trim() !== "" ? shown["name"] : "Enter a group name."}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Identity provider"
        hint="Leave empty to match the group from any provider."
        autoComplete="off"
        value={provider}
        error={shown["identityProvider"]}
        onChange={(event) => setProvider(event.target.value)}
      />
    </AddToTeamDialog>
  );
}
