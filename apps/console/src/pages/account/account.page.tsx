import { Chip, Page, TabLinks } from "@butler/ui";
import { Link, Outlet } from "@tanstack/react-router";
import { useMe } from "../../session/me.ts";

const tabs = [
  ["/account", "Browsers"],
  ["/account/command-lines", "CLI sessions"],
  ["/account/password", "Password"],
] as const;

/** The signed-in user's sessions and password. */
export function AccountPage() {
  const { name, email, teams, platformRole } = useMe();
  return (
    <Page title={name === "" ? email : name}>
      <p className="b-soft">
        {email} {platformRole !== undefined && <Chip>platform {platformRole}</Chip>}{" "}
        {teams.map((team) => (
          <Chip key={team.name}>
            {team.role} in {team.name}
          </Chip>
        ))}
      </p>
      <TabLinks label="Account sections">
        {tabs.map(([to, label]) => (
          <Link key={to} to={to} className="b-tab" activeOptions={{ exact: true }}>
            {label}
          </Link>
        ))}
      </TabLinks>
      <Outlet />
    </Page>
  );
}
