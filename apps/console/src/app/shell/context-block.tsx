import { Button, Icon, Menu } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { teamQuery, teamsQuery, useMe } from "../../session/me.ts";
import { actingRole, rolesOf, roleWords, type UserRoles } from "../../session/user-roles.ts";

/** Props of the context block. */
export interface ContextBlockProps {
  readonly team: string | undefined;
  readonly roles: UserRoles;
}

/** Current team, environment and role. */
export function ContextBlock({ team, roles }: ContextBlockProps) {
  const role = actingRole(roles);
  return (
    <section className="c-context" aria-label="Role, team and environment">
      <p className="c-role">
        <Icon name={role === "platform-viewer" ? "eye" : "identity"} />
        <span>{role === "platform-viewer" ? `${roleWords[role]} · read-only` : roleWords[role]}</span>
      </p>
      <TeamSwitcher team={team} />
      {team !== undefined && <EnvironmentSwitcher team={team} />}
    </section>
  );
}

function TeamSwitcher({ team }: { readonly team: string | undefined }) {
  const navigate = useNavigate();
  const me = useMe();
  const { data } = useQuery(teamsQuery);
  const teams = data?.teams ?? [];
  const display = teams.find(({ name }) => name === team)?.displayName ?? "";
  const shown = display === "" ? (team ?? "Select a team") : display;
  const items = teams.map(({ name, displayName }) => ({
    id: name,
    label: displayName === "" ? name : displayName,
    aside: roleWords[actingRole(rolesOf(me, name))],
    isChosen: name === team,
    onSelect: () => void navigate({ to: "/t/$team", params: { team: name }, search: {} }),
  }));
  const all = { id: "all teams", label: "All teams", onSelect: () => void navigate({ to: "/teams" }) };
  return (
    <Menu
      trigger={
        <Button aria-label={`Team: ${shown}`}>
          <span>{shown}</span>
          <Icon name="chevron" />
        </Button>
      }
      groups={[{ label: "Teams", items }, { items: [all] }]}
    />
  );
}

function EnvironmentSwitcher({ team }: { readonly team: string }) {
  const navigate = useNavigate();
  const { env } = useSearch({ strict: false });
  const { data } = useQuery(teamQuery(team));
  const environments = data?.environments ?? [];
  if (environments.length === 0 && env === undefined) return undefined;
  const choose = (name: string | undefined) => () =>
    void navigate({ to: ".", search: (before) => ({ ...before, env: name }) });
  const items = environments.map(({ name, clusterCount }) => ({
    id: name,
    label: name,
    aside: clusterCount,
    isChosen: name === env,
    onSelect: choose(name),
  }));
  return (
    <Menu
      trigger={
        <Button aria-label={`Environment: ${env ?? "All environments"}`}>
          <span>{env ?? "All environments"}</span>
          <Icon name="chevron" />
        </Button>
      }
      groups={[
        { items: [{ id: "all", label: "All environments", isChosen: env === undefined, onSelect: choose(undefined) }] },
        { label: "Environments", items },
      ]}
    />
  );
}
