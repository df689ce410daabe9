import { createNetwork, getNetwork, listAllocations, listNetworks, updateNetwork } from "@butler/contract";
import { TextAreaField, TextField } from "@butler/ui";
import { useRouteMutation } from "../../../data/route-query.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { useForm } from "../../../parts/use-form.ts";
import { networkChange, networkFaults, networkForm, newNetworkBody } from "./network-form.ts";
import type { PoolView } from "./pool-view.ts";

/** Creates or edits a network pool. Name and CIDR cannot be changed. */
export function NetworkDialog({ pool, onClose }: { readonly pool?: PoolView; readonly onClose: () => void }) {
  const initial = () => networkForm(pool?.metadata.name, pool?.spec);
  const { form, field, submit } = useForm(initial, networkFaults);
  const options = { refreshes: [listNetworks, getNetwork, listAllocations], onSuccess: onClose };
  const create = useRouteMutation(createNetwork, options);
  const update = useRouteMutation(updateNetwork, options);
  const isNew = pool === undefined;
  const send = (): void => {
    if (pool === undefined) return create.mutate({ body: newNetworkBody(form) });
    const { name, namespace = "" } = pool.metadata;
    update.mutate({ params: { name, namespace }, body: networkChange(form, pool) });
  };
  return (
    <FormDialog
      title={isNew ? "New network pool" : `Edit ${pool.metadata.name}`}
      verb={isNew ? "Create" : "Save"}
      isBusy={create.isPending || update.isPending}
      error={create.error ?? update.error}
      onSubmit={() => submit(send)}
      onClose={onClose}
    >
      <TextField label="Name" required autoFocus={isNew} disabled={!isNew} className="b-mono" {...field("name")} />
      <TextField
        label="Network"
        required
        disabled={!isNew}
        placeholder="10.40.0.0/16"
        className="b-mono"
        {...field("cidr")}
      />
      <TextAreaField
        label="Reserved"
        hint="Never allocated. One CIDR per line, optionally followed by a description."
        placeholder="10.40.0.0/24 gateways and switches"
        className="b-mono"
        {...field("reserved")}
      />
      <TextField
        label="First address for tenants"
        hint="Leave empty to use the whole network."
        className="b-mono"
        {...field("start")}
      />
      <TextField label="Last address for tenants" className="b-mono" {...field("end")} />
      <TextField
        label="Node addresses per cluster"
        inputMode="numeric"
        hint="Defaults to 5."
        {...field("nodesPerTenant")}
      />
      <TextField
        label="Load balancer addresses per cluster"
        inputMode="numeric"
        hint="Defaults to 8."
        {...field("lbPoolPerTenant")}
      />
    </FormDialog>
  );
}
