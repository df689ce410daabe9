import type { IdentityProvider } from "@butler/api";
import {
  createIdentityProvider,
  deleteIdentityProvider,
  listIdentityProviders,
  type RouteAnswer,
  validateIdentityProvider,
} from "@butler/contract";
import { Button, type Column, Dialog, EmptyState, Facts, Moment, StatusBadge, type Tone, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { routeQuery, useRouteMutation } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
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
  {
    id: "name",
    header: "Name",
    width: "minmax(120px, 1fr)",
    isNarrow: true,
    sortBy: ({ metadata }) => metadata.name,
    cell: ({ metadata }) => <span className="b-mono">{metadata.name}</span>,
  },
  {
    id: "title",
    header: "On the button",
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
  {
    id: "state",
    header: "State",
    width: "104px",
    isNarrow: true,
    sortBy: ({ status }) => status?.phase ?? "",
    // One that nobody has looked at waits for nothing: people sign in through it all the same.
    cell: ({ status: { phase = "Not tried" } = {} }) => (
      <StatusBadge tone={tones[phase] ?? "unknown"}>{phase}</StatusBadge>
    ),
  },
  {
    id: "checked",
    header: "Last well",
    width: "92px",
    align: "end",
    cell: ({ status }) => <Moment at={status?.lastValidatedTime} />,
  },
];

const textsOf = ({ metadata, spec }: IdentityRow) => [metadata.name, spec.displayName, spec.oidc?.issuerURL];

/** Where people sign in. */
export function IdentityPage() {
  return <Identity {...useListSearch(route)} />;
}

/** The page without its address. */
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
          title="People sign in by password only"
          sentence="Add the identity provider of your company, and they sign in as they do everywhere else."
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
  const toast = useToast();
  const may = useMay(deleteIdentityProvider);
  const [isDeleting, setDeleting] = useState(false);
  const { name } = provider.metadata;
  const test = useRouteMutation(validateIdentityProvider);
  const remove = useRouteMutation(deleteIdentityProvider, {
    refreshes: [listIdentityProviders],
    onSuccess: ({ message }) => {
      toast({ kind: "done", title: message });
      onClose();
    },
  });
  if (isDeleting) {
    return (
      <ConfirmByName
        title={`Remove the identity provider ${name}?`}
        name={name}
        effects={[
          "Nobody signs in through it from now on.",
          "Its secret goes. Accounts that came through it stay, but cannot sign in.",
          "Roles on the platform that its groups give are gone.",
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
              Remove ...
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
        ["Says", status?.message],
      ]}
    />
  );
}

function oidcFacts(oidc: NonNullable<IdentityRow["spec"]["oidc"]>): readonly (readonly [string, string | undefined])[] {
  return [
    ["Issuer", oidc.issuerURL],
    ["Client", oidc.clientID],
    ["Comes back to", oidc.redirectURL],
    ["Scopes", oidc.scopes?.join(" ")],
    ["Groups claim", oidc.groupsClaim],
    ["Address claim", oidc.emailClaim],
    ["Domain", oidc.hostedDomain],
    ["Certificate", certificateWords(oidc)],
  ];
}

type CertificateFacts = Pick<NonNullable<IdentityRow["spec"]["oidc"]>, "certificateAuthority" | "insecureSkipVerify">;

function certificateWords({ certificateAuthority = "", insecureSkipVerify }: CertificateFacts): string | undefined {
  if (insecureSkipVerify) return "Not checked: anybody can pose as the issuer";
  return certificateAuthority === "" ? undefined : "Of an authority of your own";
}
