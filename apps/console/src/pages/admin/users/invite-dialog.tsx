import { inviteUser, listUsers } from "@butler/contract";
import { Button, Dialog, SelectField, TextField } from "@butler/ui";
import { useState } from "react";
import { fieldErrors } from "../../../data/error-facts.ts";
import { useRouteMutation } from "../../../data/route-query.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { InvitationLink } from "./invitation-link.tsx";
import { invitationBody, type InvitationForm } from "./user-facts.ts";

const roles = [
  { value: "", label: "None: team roles only" },
  { value: "viewer", label: "Viewer: read-only access to everything" },
  { value: "admin", label: "Admin: full access" },
] as const;

/** Invites a user, then shows the link once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [form, setForm] = useState<InvitationForm>({ email: "", displayName: "", platformRole: "" });
  const invite = useRouteMutation(inviteUser, { refreshes: [listUsers] });
  const faults = fieldErrors(invite.error);
  if (invite.data !== undefined) {
    const { user, inviteUrl, expiresAt } = invite.data;
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={`${user.email} invited`}
        actions={
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <InvitationLink url={inviteUrl} expiresAt={expiresAt} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Invite user"
      description="Creates an account with a password. Identity provider users do not need an invitation."
      verb="Invite"
      isBusy={invite.isPending}
      canSubmit={form.email.includes("@")}
      error={invite.error}
      onSubmit={() => invite.mutate({ body: invitationBody(form) })}
      onClose={onClose}
    >
      <TextField
        label="Email address"
        type="email"
        required
        autoFocus
        value={form.email}
        error={faults["email"]}
        onChange={(event) => setForm({ ...form, email: event.target.value })}
      />
      <TextField
        label="Name"
        hint="Shown to other users. Defaults to the email address."
        value={form.displayName}
        error={faults["displayName"]}
        onChange={(event) => setForm({ ...form, displayName: event.target.value })}
      />
      <SelectField
        label="Platform role"
        options={roles}
        value={form.platformRole}
        onChange={(event) =>
          setForm({ ...form, platformRole: roles.find(({ value }) => value === event.target.value)?.value ?? "" })
        }
      />
    </FormDialog>
  );
}
