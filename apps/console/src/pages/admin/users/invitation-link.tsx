import { CodeBlock, Notice } from "@butler/ui";

/** The link of an invitation: a secret that the server says once and never again. */
export function InvitationLink({ url, expiresAt }: { readonly url: string; readonly expiresAt: string }) {
  return (
    <>
      <Notice tone="attention">
        This link is shown only now. Whoever has it sets the password of the account; give it to nobody else.
      </Notice>
      <CodeBlock text={url} language="plain" label="Link of the invitation" />
      <p className="b-soft">It can be used until {new Date(expiresAt).toLocaleString()}.</p>
    </>
  );
}
