import { createTeam, listTeams } from "@butler/contract";
import { TextAreaField, TextField } from "@butler/ui";
import { useState } from "react";
import { useRouteMutation } from "../../../data/route-query.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { newTeamBody, teamFaults, type TeamForm } from "./team-facts.ts";

/** Creates a team. */
export function NewTeamDialog({ onClose }: { readonly onClose: () => void }) {
  const [form, setForm] = useState<TeamForm>({ name: "", displayName: "", description: "", maxClusters: "" });
  const [wasTried, setTried] = useState(false);
  const create = useRouteMutation(createTeam, { refreshes: [listTeams], onSuccess: onClose });
  const faults = teamFaults(form);
  const submit = (): void => {
    setTried(true);
    if (Object.keys(faults).length === 0) create.mutate({ body: newTeamBody(form) });
  };
  const field = (name: keyof TeamForm) => ({
    value: form[name],
    error: wasTried ? faults[name] : undefined,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setForm({ ...form, [name]: event.target.value }),
  });
  return (
    <FormDialog
      title="New team"
      verb="Create"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Also used as the namespace name. Cannot be changed later."
        required
        autoFocus
        className="b-mono"
        {...field("name")}
      />
      <TextField label="Display name" hint="Shown in the console." {...field("displayName")} />
      <TextAreaField label="Description" dir="auto" {...field("description")} />
      <TextField
        label="Cluster limit"
        hint="Leave empty for no team limit."
        inputMode="numeric"
        {...field("maxClusters")}
      />
    </FormDialog>
  );
}
