import type { IdentityProvider } from "@butler/api";
import {
  createIdentityProvider,
  deleteIdentityProvider,
  listIdentityProviders,
  type RouteAnswer,
  validateIdentityProvider,
} from "@butler/contract";
import { Button, type Column, Dialog, EmptyState, Facts, type Tone } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { routeQuery, useRouteMutation } from "../../../data/route-query.ts";
import { momentColumn, nameColumn, stateColumn } from "../../../parts/columns.tsx";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { useAnnouncedMutation } from "../../../parts/use-announced-mutation.ts";
import { useMay } from "../shared/action-button.tsx";
import { ConfirmByName } from "../shared/confirm-by-name.tsx";
import { ListPage } from "../shared/list-page.tsx";
import type { SearchProps } from "../shared/list-search.ts";
import { useListSearch } from "../shared/use-list-search.ts";
import { Conditions } from "../shared/conditions.tsx";
import { NewIdentityDialog } from "./new-identity-dialog.tsx";
import { TestResult } from "./test-result.tsx";

type IdentityRow = Omit<RouteAnswer<typeof listIdentityProviders>["identityProviders"][number], "status"> &
  Pick<IdentityProvider, "status">;

const route = getRouteApi("/signed-in/admin/identity");
const tones: Readonly<Record<string, Tone>> = { Pending: "working", Ready: "ready", Failed: "failed" };

const columns: readonly Column<IdentityRow>[] = [
  nameColumn("minmax(120px, 1fr)", ({ metadata }) => metadata.name),
  {
    id: "title",
    header: "Button text",
    sortBy: ({ spec }) => spec.displayName ?? "",
    cell: ({ spec }) => <span dir="auto">{spec.displayName}</span>,
  },
  {
    id: "issuer",
    header: "Issuer",
    width: "minmax(180px, 2fr)",
    sortBy: ({ spec }) => spec.oidc?.issuerURL ?? "",
    cell: ({ spec }) => <span title={spec.oidc?.issuerURL}>{spec.oidc?.issuerURL}</span>,
  },
  // An identity provider without a status is not pending: users can already sign in through it.
  stateColumn("104px", ({ status: { phase = "Not checked" } = {} }) => ({
    tone: tones[phase] ?? "unknown",
    word: phase,
  })),
  momentColumn({ id: "checked", header: "Validated", width: "92px" }, ({ status }) => status?.lastValidatedTime),
];

const textsOf = ({ metadata, spec }: IdentityRow) => [metadata.name, spec.displayName, spec.oidc?.issuerURL];

/** The identity providers of the platform. */
export function IdentityPage() {
  return <Identity {...useListSearch(route)} />;
}

/** The page without its route. */
export function Identity(props: SearchProps) {
  return (
    <ListPage
      {...props}
      title="Identity providers"
      query={useQuery(routeQuery(listIdentityProviders, { query: { limit: 500 } }))}
      rowsOf={({ identityProviders }) => identityProviders as readonly IdentityRow[]}
      columns={columns}
      rowKey={({ metadata }) => metadata.name}
      textsOf={textsOf}
      empty={
        <EmptyState
          title="No identity providers yet"
          sentence="Users sign in with passwords only. Add your company's identity provider for single sign-on."
        />
      }
      add={{
        label: "Add identity provider",
        route: createIdentityProvider,
        dialog: (onClose) => <NewIdentityDialog onClose={onClose} />,
      }}
      drawer={(provider, onClose) => (
        <IdentityDrawer key={provider.metadata.name} provider={provider} onClose={onClose} />
      )}
    />
  );
}

function IdentityDrawer({ provider, onClose }: { readonly provider: IdentityRow; readonly onClose: () => void }) {
  const may = useMay(deleteIdentityProvider);
  const [isDeleting, setDeleting] = useState(false);
  const { name } = provider.metadata;
  const test = useRouteMutation(validateIdentityProvider);
  const remove = useAnnouncedMutation(deleteIdentityProvider, { refreshes: [listIdentityProviders], onDone: onClose });
  if (isDeleting) {
    return (
      <ConfirmByName
        title={`Remove identity provider ${name}?`}
        name={name}
        effects={[
          "Users can no longer sign in through it.",
          "Its client secret is deleted. Accounts created through it are kept but cannot sign in.",
          "Platform roles granted through its groups are revoked.",
        ]}
        verb="Remove"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { name } })}
        onClose={() => setDeleting(false)}
      />
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      place="right"
      title={provider.spec.displayName ?? name}
      actions={
        may && (
          <>
            <Button kind="danger-quiet" onClick={() => setDeleting(true)}>
              Remove…
            </Button>
            <Button isBusy={test.isPending} onClick={() => test.mutate({ params: { name } })}>
              Test
            </Button>
          </>
        )
      }
    >
      {test.data !== undefined && <TestResult result={test.data} />}
      <ProblemNotice error={test.error} />
      <IdentityFacts provider={provider} />
      <Conditions conditions={provider.status?.conditions} />
    </Dialog>
  );
}

function IdentityFacts({ provider: { metadata, spec, status } }: { readonly provider: IdentityRow }) {
  const { oidc, platformRoleGroups = [] } = spec;
  return (
    <Facts
      facts={[
        ["Name", <code key="name">{metadata.name}</code>],
        ...(oidc === undefined ? [] : oidcFacts(oidc)),
        ["Platform roles", platformRoleGroups.map((group) => `${group.name}: ${group.role}`).join(", ")],
        ["Message", status?.message],
      ]}
    />
  );
}

function oidcFacts(oidc: NonNullable<IdentityRow["spec"]["oidc"]>): readonly (readonly [string, string | undefined])[] {
  return [
    ["Issuer", oidc.issuerURL],
    ["Client ID", oidc.clientID],
    ["Redirect URL", oidc.redirectURL],
    ["Scopes", oidc.scopes?.join(" ")],
    ["Groups claim", oidc.groupsClaim],
    ["Email claim", oidc.emailClaim],
    ["Domain", oidc.hostedDomain],
    ["Trusted domains", oidc.domains?.join(", ")],
    ["Certificate", certificateWords(oidc)],
  ];
}

type CertificateFacts = Pick<NonNullable<IdentityRow["spec"]["oidc"]>, "certificateAuthority" | "insecureSkipVerify">;

function certificateWords({ certificateAuthority = "", insecureSkipVerify }: CertificateFacts): string | undefined {
  if (insecureSkipVerify) return "Not verified: the issuer can be impersonated";
  return certificateAuthority === "" ? undefined : "Custom certificate authority";
}
