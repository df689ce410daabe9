import { type IdentityProvider, type NetworkPool, poolState, type ProviderConfig } from "@butler/api";
import { listIdentityProviders, listNetworks, listProviders } from "@butler/contract";
import { Panel, StatusBadge } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { routeQuery } from "../../../data/route-query.ts";
import { ProblemNotice } from "../../../parts/problem-view.tsx";

/** Providers, networks and identity providers that need attention. Failed queries are shown. */
export function PlatformProblems() {
  const all = { query: { limit: 500 } };
  const providers = useQuery(routeQuery(listProviders, all));
  const pools = useQuery(routeQuery(listNetworks, all));
  const identity = useQuery(routeQuery(listIdentityProviders, all));
  const unready = (providers.data?.providers ?? []).filter(
    ({ status }) => (status as ProviderConfig["status"])?.ready === false,
  );
  const filling = (pools.data?.pools ?? []).flatMap((pool) => {
    const { tone, word } = poolState({ status: pool.status as NetworkPool["status"] });
    return tone === "ready" || tone === "unknown" ? [] : [{ pool, tone, word }];
  });
  const failed = (identity.data?.identityProviders ?? []).filter(
    ({ status }) => (status as IdentityProvider["status"])?.phase === "Failed",
  );
  const isQuiet = unready.length + filling.length + failed.length === 0;
  return (
    <Panel title="Platform">
      <ProblemNotice error={providers.error ?? pools.error ?? identity.error} />
      {isQuiet && providers.data !== undefined && (
        <p className="b-soft">Providers, networks and sign-in are healthy.</p>
      )}
      <ul className="b-list" data-density="tight">
        {unready.map(({ metadata: { namespace = "", name } }) => (
          <li key={`provider ${namespace}/${name}`}>
            <StatusBadge tone="failed">
              <Link to="/admin/providers" search={{ open: `${namespace}/${name}` }}>
                Provider {name} is not ready
              </Link>
            </StatusBadge>
          </li>
        ))}
        {filling.map(({ pool: { metadata }, tone, word }) => (
          <li key={`pool ${metadata.namespace}/${metadata.name}`}>
            <StatusBadge tone={tone}>
              <Link
                to="/admin/networks/$namespace/$name"
                params={{ namespace: metadata.namespace ?? "", name: metadata.name }}
              >
                Network {metadata.name}: {word.toLowerCase()}
              </Link>
            </StatusBadge>
          </li>
        ))}
        {failed.map(({ metadata: { name } }) => (
          <li key={`identity ${name}`}>
            <StatusBadge tone="failed">
              <Link to="/admin/identity" search={{ open: name }}>
                Sign-in through {name} is failing
              </Link>
            </StatusBadge>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
