import { SelectField } from "@butler/ui";
import { type ReactNode, useState } from "react";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { roleOf, roleOptions } from "../../parts/roles.ts";

type Role = ReturnType<typeof roleOf>;

interface Sending {
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface AddToTeamDialogProps {
  readonly title: string;
  readonly description: string;
  readonly role: Role;
  readonly onRole: (role: string) => void;
  readonly sending: Sending;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** Fields that identify the user or group. */
  readonly children: ReactNode;
}

/** The state of the form: the role, and whether it was sent. Its faults are shown from then on. */
export function useAddToTeam(onClose: () => void) {
  const [role, setRole] = useState(roleOf("viewer"));
  const [wasSent, setSent] = useState(false);
  const propsFor = (sending: Sending, send: () => void) => ({
    role,
    onRole: (text: string) => setRole(roleOf(text)),
    sending,
    onSubmit: () => {
      setSent(true);
      send();
    },
    onClose,
  });
  return { role, wasSent, propsFor };
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
