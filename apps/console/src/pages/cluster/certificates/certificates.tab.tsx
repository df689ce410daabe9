import { listCertificates, rotateCertificates } from "@butler/contract";
import {
  Button,
  type Column,
  DataTable,
  Dialog,
  EmptyState,
  Facts,
  Notice,
  StatusBadge,
  type Sorting,
} from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useLiveList } from "../../../data/live.tsx";
import { routeQuery } from "../../../data/route-query.ts";
import { ToolbarEnd } from "../../../parts/filter-bar.tsx";
import { QueryView } from "../../../parts/query-view.tsx";
import { useRefetchWhen } from "../../../parts/use-refetch-when.ts";
import { useMe } from "../../../session/me.ts";
import { refusalOf, rolesOf } from "../../../session/user-roles.ts";
import { useCluster } from "../use-cluster.ts";
import { type CertificateView, healthStates, timeLeft } from "./certificate-facts.ts";
import { RotateDialog } from "./rotate-dialog.tsx";
import "./certificates.css";

const route = getRouteApi("/signed-in/t/$team/clusters/$namespace/$name/certificates");

/** The certificates of the control plane, their validity and rotation. */
export function CertificatesTab() {
  const { team, namespace, name } = route.useParams();
  const { cert, rotate } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(routeQuery(listCertificates, { params: { namespace, name } }));
  const { cluster } = useCluster();
  // Certificates have no live channel; a rotation shows as events and cluster changes. Events are frequent, so they
  // trigger a refetch only during a rotation.
  const isRotating = query.data?.rotationInProgress === true;
  const { items: events } = useLiveList<object>("events", { namespace, cluster: name });
  const refetch = () => query.refetch({ cancelRefetch: false });
  useRefetchWhen(cluster.metadata.resourceVersion, refetch);
  useRefetchWhen(isRotating ? events : undefined, refetch);
  const roles = rolesOf(useMe(), team);
  const refusal = refusalOf(rotateCertificates, roles);
  const show = (next: { readonly cert?: string; readonly rotate?: "yes" }): void =>
    void navigate({ search: ({ env }) => ({ ...(env && { env }), ...next }) });
  return (
    <QueryView query={query}>
      {({ certificates, overallHealth, certificateCount, rotationInProgress }) => (
        <>
          {rotationInProgress && <Notice tone="working">Certificate rotation in progress.</Notice>}
          <div className="b-toolbar">
            <StatusBadge tone={healthStates[overallHealth].tone}>{healthStates[overallHealth].word}</StatusBadge>
            {refusal !== undefined && <span className="b-soft">Rotating certificates {refusal.toLowerCase()}</span>}
            <ToolbarEnd
              count={certificateCount === 1 ? "1 certificate" : `${certificateCount} certificates`}
              actions={
                <>
                  <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
                    Refresh
                  </Button>
                  {refusal === undefined && (
                    <Button kind="primary" disabled={rotationInProgress} onClick={() => show({ rotate: "yes" })}>
                      Rotate
                    </Button>
                  )}
                </>
              }
            />
          </div>
          <CertificateTable certificates={certificates} onOpen={(fingerprint) => show({ cert: fingerprint })} />
          <CertificateDrawer
            certificate={certificates.find(({ fingerprint }) => fingerprint === cert)}
            onClose={() => show({})}
          />
          {rotate === "yes" && refusal === undefined && (
            <RotateDialog
              cluster={{ namespace, name }}
              mayReplaceAuthority={roles.platformRole === "admin" || roles.teamRole === "admin"}
              onClose={() => show({})}
            />
          )}
        </>
      )}
    </QueryView>
  );
}

const columns: readonly Column<CertificateView>[] = [
  {
    id: "health",
    header: "State",
    width: "150px",
    isNarrow: true,
    sortBy: ({ daysUntilExpiry }) => daysUntilExpiry,
    cell: ({ healthStatus }) => (
      <StatusBadge tone={healthStates[healthStatus].tone}>{healthStates[healthStatus].word}</StatusBadge>
    ),
  },
  {
    id: "subject",
    header: "Subject",
    width: "minmax(150px, 2fr)",
    isNarrow: true,
    sortBy: ({ subject }) => subject,
    cell: ({ subject, isCA }) => `${subject}${isCA ? " (CA)" : ""}`,
  },
  { id: "category", header: "Component", width: "minmax(140px, 1.5fr)", sortBy: ({ category }) => category },
  {
    id: "left",
    header: "Remaining",
    width: "130px",
    align: "end",
    sortBy: ({ daysUntilExpiry }) => daysUntilExpiry,
    cell: ({ daysUntilExpiry }) => <span className="b-numbers">{timeLeft(daysUntilExpiry)}</span>,
  },
  {
    id: "end",
    header: "Valid until",
    width: "130px",
    align: "end",
    sortBy: ({ notAfter }) => Date.parse(notAfter),
    cell: ({ notAfter }) => <EndDate at={notAfter} />,
  },
];

function EndDate({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toLocaleString()} className="b-numbers">
      {date.toLocaleDateString()}
    </time>
  );
}

/** Certificates, those that expire first at the top. */
export function CertificateTable({
  certificates,
  onOpen,
}: {
  readonly certificates: readonly CertificateView[];
  readonly onOpen: (fingerprint: string) => void;
}) {
  const [sorting, setSorting] = useState<Sorting>({ column: "left", isDescending: false });
  return (
    <DataTable
      label="Certificates"
      rows={certificates}
      columns={columns}
      rowKey={({ secretName, secretKey, fingerprint }) => `${secretName}/${secretKey}/${fingerprint}`}
      sorting={sorting}
      onSort={setSorting}
      onOpen={({ fingerprint }) => onOpen(fingerprint)}
      empty={<EmptyState title="No certificates yet" sentence="Certificates are issued with the control plane." />}
    />
  );
}

function CertificateDrawer({
  certificate,
  onClose,
}: {
  readonly certificate: CertificateView | undefined;
  readonly onClose: () => void;
}) {
  if (certificate === undefined) return undefined;
  const { subject, notBefore, notAfter, secretName, secretKey, category, dnsNames, ipAddresses, fingerprint } =
    certificate;
  return (
    <Dialog isOpen place="right" title={subject} onClose={onClose}>
      <Facts
        facts={[
          ["Component", category],
          ["Valid from", new Date(notBefore).toLocaleString()],
          ["Valid until", new Date(notAfter).toLocaleString()],
          ["DNS names", dnsNames.join(", ")],
          ["IP addresses", ipAddresses.join(", ")],
          ["Secret", `${secretName}, ${secretKey}`],
          [
            "SHA-256",
            <span key="sum" className="b-mono c-fingerprint">
              {fingerprint}
            </span>,
          ],
        ]}
      />
    </Dialog>
  );
}
