import { inviteUser, listUsers } from "@butler/contract";
import { Button, Dialog, SelectField, TextField } from "@butler/ui";
import { useState } from "react";
import { fieldErrors } from "../../../data/error-facts.ts";
import { useRouteMutation } from "../../../data/route-query.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { InvitationLink } from "./invitation-link.tsx";
import { invitationBody, type InvitationForm } from "./user-facts.ts";

const roles = [
  { value: "", label: "None: only what teams give" },
  { value: "viewer", label: "Viewer: sees everything, changes nothing" },
  { value: "admin", label: "Admin: may do everything" },
] as const;

/** Asks for who is invited, and then shows the link this once. */
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
        title={`${user.email} is invited`}
        actions={
          <Button kind="primary" onClick={onClose}>
            I have passed it on
          </Button>
        }
      >
        <InvitationLink url={inviteUrl} expiresAt={expiresAt} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Invite somebody"
      description="An account with a password. People who sign in through an identity provider need no invitation."
      verb="Invite"
      isBusy={invite.isPending}
      canSubmit={form.email.includes("@")}
      error={invite.error}
      onSubmit={() => invite.mutate({ body: invitationBody(form) })}
      onClose={onClose}
    >
      <TextField
        label="E-mail address"
        type="email"
        required
        autoFocus
        value={form.email}
        error={faults["email"]}
        onChange={(event) => setForm({ ...form, email: event.target.value })}
      />
      <TextField
        label="Name"
        hint="As others see it; the address when empty."
        value={form.displayName}
        error={faults["displayName"]}
        onChange={(event) => setForm({ ...form, displayName: event.target.value })}
      />
      <SelectField
        label="Role on the platform"
        options={roles}
        value={form.platformRole}
        onChange={(event) =>
          setForm({ ...form, platformRole: roles.find(({ value }) => value === event.target.value)?.value ?? "" })
        }
      />
    </FormDialog>
  );
}
