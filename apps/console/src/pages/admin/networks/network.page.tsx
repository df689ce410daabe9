import { poolState } from "@butler/api";
import { deleteNetwork, getNetwork, listNetworks, updateNetwork } from "@butler/contract";
import { EmptyState, Facts, Notice, Page, Panel, StatusBadge, useNow } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { routeQuery } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { QueryView } from "../../../parts/query-view.tsx";
import { useAnnouncedMutation } from "../../../parts/use-announced-mutation.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { ConfirmByName } from "../shared/confirm-by-name.tsx";
import { Conditions } from "../shared/conditions.tsx";
import { addressMap } from "./address-map.ts";
import { AddressMap } from "./address-map.tsx";
import { AllocationTable } from "./allocation-table.tsx";
import { allAllocationsQuery } from "./all-allocations.ts";
import { NetworkDialog } from "./network-dialog.tsx";
import type { AllocationView, PoolView } from "./pool-view.ts";

const route = getRouteApi("/signed-in/admin/networks/$namespace/$name");

/** A network pool: address map, usage and allocations. */
export function NetworkPage() {
  const params = route.useParams();
  const { zoom } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(routeQuery(getNetwork, { params }));
  return (
    <QueryView query={query}>
      {(pool) => (
        <Network
          pool={pool as PoolView}
          zoom={zoom}
          onZoom={(next) => void navigate({ search: (before) => ({ ...before, zoom: next }) })}
        />
      )}
    </QueryView>
  );
}

interface NetworkProps {
  readonly pool: PoolView;
  readonly zoom: string | undefined;
  readonly onZoom: (cidr: string | undefined) => void;
}

function Network({ pool, zoom, onZoom }: NetworkProps) {
  const [doing, setDoing] = useState<"change" | "delete">();
  const { name, namespace = "" } = pool.metadata;
  const allocations = useQuery(allAllocationsQuery({ namespace, name }));
  const { tone, word } = poolState(pool);
  const close = (): void => setDoing(undefined);
  return (
    <Page
      title={<span className="c-name">{name}</span>}
      status={<StatusBadge tone={tone}>{word}</StatusBadge>}
      actions={
        <>
          <ActionButton route={updateNetwork} onClick={() => setDoing("change")}>
            Edit
          </ActionButton>
          <ActionButton route={deleteNetwork} onClick={() => setDoing("delete")}>
            Delete…
          </ActionButton>
        </>
      }
    >
      <Panel title="Address map">
        <ProblemNotice error={allocations.error} />
        <PoolMap pool={pool} allocations={allocations.data ?? none} zoom={zoom} onZoom={onZoom} />
      </Panel>
      <div className="b-grid">
        <Panel title="Usage">
          <Numbers pool={pool} />
        </Panel>
        <Panel title="Conditions">
          <Conditions conditions={pool.status?.conditions} />
        </Panel>
      </div>
      <Panel title="Allocations">
        <QueryView query={allocations}>{(found) => <AllocationTable allocations={found} />}</QueryView>
      </Panel>
      {doing === "change" && <NetworkDialog pool={pool} onClose={close} />}
      {doing === "delete" && <DeleteNetwork pool={pool} onClose={close} />}
    </Page>
  );
}

const none: readonly AllocationView[] = [];

function PoolMap(props: NetworkProps & { readonly allocations: readonly AllocationView[] }) {
  const { pool, allocations, zoom, onZoom } = props;
  const now = useNow();
  const parts = useMemo(() => partsOf(pool, allocations, now), [pool, allocations, now]);
  if (parts === undefined) {
    return <EmptyState title="Cannot draw the address map" sentence={`${pool.spec.cidr} is not a valid CIDR.`} />;
  }
  return <AddressMap cidr={pool.spec.cidr} parts={parts} zoom={zoom} onZoom={onZoom} />;
}

function partsOf(pool: PoolView, allocations: readonly AllocationView[], now: Date) {
  try {
    return addressMap({ pool, allocations, now });
  } catch {
    // The API server rejects pools without a valid CIDR; a drawing must not make the page fail.
    return undefined;
  }
}

function Numbers({ pool: { spec, status = {} } }: { readonly pool: PoolView }) {
  const number = (value: number | undefined) => value?.toLocaleString("en");
  return (
    <Facts
      facts={[
        ["Network", <code key="cidr">{spec.cidr}</code>],
        ["Addresses", number(status.poolSizeIPs)],
        ["Tenant addresses", number(status.totalIPs)],
        ["Allocated", number(status.allocatedIPs)],
        ["Available", number(status.availableIPs)],
        ["Quarantined", number(status.quarantinedIPs)],
        ["Reserved", number(status.reservedIPs)],
        ["Used by the platform", number(status.infrastructureConsumedIPs)],
        ["Largest free block", number(status.largestFreeBlock)],
        ["Fragmentation", status.fragmentationPercent === undefined ? undefined : `${status.fragmentationPercent}%`],
        ["Quarantine period", spec.quarantine],
      ]}
    />
  );
}

function DeleteNetwork({ pool, onClose }: { readonly pool: PoolView; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const { name, namespace = "" } = pool.metadata;
  const count = pool.status?.allocationCount ?? 0;
  const remove = useAnnouncedMutation(deleteNetwork, {
    refreshes: [listNetworks],
    onDone: () => void navigate({ to: "/admin/networks" }),
  });
  return (
    <ConfirmByName
      title={`Delete network pool ${name}?`}
      name={name}
      effects={[
        "Clusters can no longer get addresses from this pool.",
        count === 0 ? (
          "The pool has no allocated addresses, so it is deleted immediately."
        ) : (
          <Notice key="used" tone="attention">
            {count === 1 ? "1 allocation uses" : `${count} allocations use`} its addresses. The pool is deleted when the
            last allocation is released.
          </Notice>
        ),
      ]}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { namespace, name } })}
      onClose={onClose}
    />
  );
}
