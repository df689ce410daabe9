import { Page, TabLinks } from "@butler/ui";
import { Link, Outlet } from "@tanstack/react-router";
import { useTeam } from "./use-team.ts";

/** Frame of the member and group lists. */
export function MembersFrame() {
  const { team, view } = useTeam();
  return (
    <Page title="Members">
      <TabLinks label="Members and groups">
        <Link
          to="/t/$team/members"
          params={{ team }}
          className="b-tab"
          activeOptions={{ exact: true, includeSearch: false }}
        >
          Members <span className="b-numbers b-soft">{view.memberCount}</span>
        </Link>
        <Link to="/t/$team/members/groups" params={{ team }} className="b-tab" activeOptions={{ includeSearch: false }}>
          Groups <span className="b-numbers b-soft">{view.groupCount}</span>
        </Link>
      </TabLinks>
      <Outlet />
    </Page>
  );
}
