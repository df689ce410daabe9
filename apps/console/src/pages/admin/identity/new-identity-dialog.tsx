import { createIdentityProvider, listIdentityProviders, listPresets, testIdentityProvider } from "@butler/contract";
import { Button, Dialog, Notice, TextAreaField, TextField } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { routeQuery, useRouteMutation } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { QueryView } from "../../../parts/query-view.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { useForm } from "../../../parts/use-form.ts";
import { identityFaults, issuerTestBody, newIdentityBody, type Preset, presetForm } from "./identity-form.ts";
import { TestResult } from "./test-result.tsx";

/** Adds an identity provider: select the product, then fill in the form. */
export function NewIdentityDialog({ onClose }: { readonly onClose: () => void }) {
  const presets = useQuery(routeQuery(listPresets, {}));
  const [preset, setPreset] = useState<Preset>();
  if (preset !== undefined) {
    return <IdentityFormDialog key={preset.id} preset={preset} onClose={onClose} />;
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      place="right"
      title="Add identity provider"
      description="Select your identity provider."
    >
      <QueryView query={presets}>
        {({ presets: found }) => (
          <ul className="b-form">
            {found.map((each) => (
              <li key={each.id}>
                <Button onClick={() => setPreset(each)}>{each.displayName}</Button>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Dialog>
  );
}

function IdentityFormDialog({ preset, onClose }: { readonly preset: Preset; readonly onClose: () => void }) {
  const initial = () => presetForm(preset, location.origin);
  const { form, faults, field, submit } = useForm(initial, identityFaults);
  const create = useRouteMutation(createIdentityProvider, { refreshes: [listIdentityProviders], onSuccess: onClose });
  const test = useRouteMutation(testIdentityProvider);
  return (
    <FormDialog
      title={`Add ${preset.displayName}`}
      verb="Add"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => submit(() => create.mutate({ body: newIdentityBody(form) }))}
      onClose={onClose}
    >
      <Notice tone="unknown">{preset.notes}</Notice>
      <TextField label="Name" required className="b-mono" {...field("name")} />
      <TextField label="Sign-in button text" {...field("displayName")} />
      <TextField label="Issuer URL" type="url" required {...field("issuerURL")} />
      <details>
        <summary>The issuer uses a custom certificate authority</summary>
        <div className="b-form">
          <TextAreaField
            label="Certificate authority"
            hint="PEM format. Leave empty for a publicly trusted authority."
            className="b-mono"
            spellCheck={false}
            {...field("certificateAuthority")}
          />
        </div>
      </details>
      <div className="b-form-actions">
        <Button
          isBusy={test.isPending}
          disabled={faults.issuerURL !== undefined || faults.certificateAuthority !== undefined}
          onClick={() => test.mutate({ body: issuerTestBody(form) })}
        >
          Test issuer
        </Button>
      </div>
      {test.data !== undefined && <TestResult result={test.data} />}
      <ProblemNotice error={test.error} />
      <TextField label="Client ID" required autoComplete="off" {...field("clientID")} />
      <TextField
        label="Client secret"
        type="password"
        required
        autoComplete="new-password"
        hint="Not shown again after you save it."
        {...field("clientSecret")}
      />
      <TextField
        label="Redirect URL"
        type="url"
        required
        hint="Register exactly this URL with the identity provider."
        {...field("redirectURL")}
      />
      {preset.id === "google" && (
        <TextField label="Domain" hint="Only accounts in this domain can sign in." {...field("hostedDomain")} />
      )}
      <TextAreaField label="Platform admin groups" hint="One group per line. Optional." {...field("adminGroups")} />
      <details>
        <summary>Scopes and claims</summary>
        <div className="b-form">
          <TextField label="Scopes" {...field("scopes")} />
          <TextField label="Groups claim" {...field("groupsClaim")} />
          <TextField label="Email claim" {...field("emailClaim")} />
        </div>
      </details>
    </FormDialog>
  );
}
