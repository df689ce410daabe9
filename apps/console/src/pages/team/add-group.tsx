import { addGroup, getTeam, listGroups, listMembers, newGroup } from "@butler/contract";
import { TextField, useToast } from "@butler/ui";
import { useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { useRouteMutation } from "../../data/route-query.ts";
import { bodyFaults } from "../../parts/body-faults.ts";
import { roleOf } from "../../parts/roles.ts";
import { AddToTeamDialog } from "./add-to-team-dialog.tsx";

/** Gives everybody in a group of an identity provider a role in the team. */
export function AddGroupDialog({ team, onClose }: { readonly team: string; readonly onClose: () => void }) {
  const toast = useToast();
  const [name, setName] = useState("");
  const [provider, setProvider] = useState("");
  const [role, setRole] = useState(roleOf("viewer"));
  const [wasSent, setSent] = useState(false);
  const add = useRouteMutation(addGroup, {
    refreshes: [listGroups, listMembers, getTeam],
    onSuccess: () => {
      onClose();
      toast({ kind: "done", title: `The group ${name.trim()} is in the team` });
    },
  });
  const body = { name: name.trim(), role, ...(provider.trim() !== "" && { identityProvider: provider.trim() }) };
  const faults = bodyFaults(newGroup, body);
  const submit = (): void => {
    setSent(true);
    if (Object.keys(faults).length === 0) add.mutate({ params: { team }, body });
  };
  const shown = wasSent ? { ...fieldErrors(add.error), ...faults } : {};
  return (
    <AddToTeamDialog
      title="Add a group"
      description="Its members are in the team when they sign in."
      role={role}
      onRole={(value) => setRole(roleOf(value))}
      sending={add}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Group"
        hint="As the identity provider spells it; capitals do not matter."
        autoComplete="off"
        required
        value={name}
        error={shown["name"] === undefined || name.trim() !== "" ? shown["name"] : "A group needs a name."}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Identity provider"
        hint="Leave it empty to count the group wherever people sign in."
        autoComplete="off"
        value={provider}
        error={shown["identityProvider"]}
        onChange={(event) => setProvider(event.target.value)}
      />
    </AddToTeamDialog>
  );
}
