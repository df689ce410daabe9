import { Page, TabLinks } from "@butler/ui";
import { Link, Outlet } from "@tanstack/react-router";
import { useTeam } from "./use-team.ts";

/** Who is in the team: people by name, and groups whose members are in it. */
export function MembersFrame() {
  const { team, view } = useTeam();
  return (
    <Page title="Members">
      <TabLinks label="People and groups">
        <Link
          to="/t/$team/members"
          params={{ team }}
          className="b-tab"
          activeOptions={{ exact: true, includeSearch: false }}
        >
          People <span className="b-numbers b-soft">{view.memberCount}</span>
        </Link>
        <Link to="/t/$team/members/groups" params={{ team }} className="b-tab" activeOptions={{ includeSearch: false }}>
          Groups <span className="b-numbers b-soft">{view.groupCount}</span>
        </Link>
      </TabLinks>
      <Outlet />
    </Page>
  );
}
