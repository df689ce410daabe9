import { createTeam, listTeams } from "@butler/contract";
import { TextAreaField, TextField } from "@butler/ui";
import { useRouteMutation } from "../../../data/route-query.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { useForm } from "../../../parts/use-form.ts";
import { newTeamBody, teamFaults, type TeamForm } from "./team-facts.ts";

const empty: TeamForm = { name: "", displayName: "", description: "", maxClusters: "" };

/** Creates a team. */
export function NewTeamDialog({ onClose }: { readonly onClose: () => void }) {
  const { form, field, submit } = useForm(empty, teamFaults);
  const create = useRouteMutation(createTeam, { refreshes: [listTeams], onSuccess: onClose });
  return (
    <FormDialog
      title="New team"
      verb="Create"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => submit(() => create.mutate({ body: newTeamBody(form) }))}
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
