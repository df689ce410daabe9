import { SelectField } from "@butler/ui";
import type { ReactNode } from "react";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { type roleOf, roleOptions } from "../../parts/roles.ts";

type Role = ReturnType<typeof roleOf>;

interface AddToTeamDialogProps {
  readonly title: string;
  readonly description: string;
  readonly role: Role;
  readonly onRole: (role: string) => void;
  readonly sending: { readonly isPending: boolean; readonly error: Error | null };
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** Fields that identify the user or group. */
  readonly children: ReactNode;
}

/** Adds a user or a group to a team with a role. */
export function AddToTeamDialog({ role, onRole, sending, children, ...dialog }: AddToTeamDialogProps) {
  return (
    <FormDialog {...dialog} verb="Add" place="centre" noValidate isBusy={sending.isPending} error={sending.error}>
      {children}
      <SelectField label="Role" options={roleOptions} value={role} onChange={(event) => onRole(event.target.value)} />
    </FormDialog>
  );
}
