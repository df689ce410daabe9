import { CodeBlock, Notice } from "@butler/ui";

/** The link of an invitation: a secret that the server returns only once. */
export function InvitationLink({ url, expiresAt }: { readonly url: string; readonly expiresAt: string }) {
  return (
    <>
      <Notice tone="attention">
        This link is shown only once. Anyone with this link can set the account's password. Share it only with the
        invited user.
      </Notice>
      <CodeBlock text={url} language="plain" label="Invitation link" />
      <p className="b-soft">Valid until {new Date(expiresAt).toLocaleString()}.</p>
    </>
  );
}
