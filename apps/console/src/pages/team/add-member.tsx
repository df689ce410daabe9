import { addMember, getTeam, listMembers, newMember } from "@butler/contract";
import { TextField, useToast } from "@butler/ui";
import { useState } from "react";
import { fieldErrors } from "../../data/error-facts.ts";
import { useRouteMutation } from "../../data/route-query.ts";
import { bodyFaults } from "../../parts/body-faults.ts";
import { roleWord } from "../../parts/roles.ts";
import { AddToTeamDialog, useAddToTeam } from "./add-to-team-dialog.tsx";

/** Adds a user to a team by email address. The user needs no account yet. */
export function AddMemberDialog({ team, onClose }: { readonly team: string; readonly onClose: () => void }) {
  const toast = useToast();
  const [email, setEmail] = useState("");
  const { role, wasSent, propsFor } = useAddToTeam(onClose);
  const add = useRouteMutation(addMember, {
    refreshes: [listMembers, getTeam],
    onSuccess: ({ member }) => {
      onClose();
      toast({ kind: "done", title: `${member?.email ?? email} is now ${roleWord(member?.role ?? role)}` });
    },
  });
  const body = { email: email.trim(), role };
  const fault = bodyFaults(newMember, body)["email"];
  const send = (): void => {
    if (fault === undefined) add.mutate({ params: { team }, body });
  };
  return (
    <AddToTeamDialog
      title="Add member"
      description="The member gets access at the next sign-in."
      {...propsFor(add, send)}
    >
      <TextField
        label="Email address"
        type="email"
        autoComplete="off"
        required
        value={email}
        error={wasSent ? (fault ?? fieldErrors(add.error)["email"]) : undefined}
        onChange={(event) => setEmail(event.target.value)}
      />
    </AddToTeamDialog>
  );
}
