import { Chip, EmptyState, Page } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { QueryView } from "../../parts/query-view.tsx";
import { teamsQuery, useMe } from "../../session/me.ts";
import { actingRole, rolesOf, roleWords } from "../../session/user-roles.ts";

/** The teams visible to the user. */
export function TeamsPage() {
  const me = useMe();
  const teams = useQuery(teamsQuery);
  return (
    <Page title="Teams">
      <QueryView query={teams}>
        {({ teams: found }) =>
          found.length === 0 ? (
            <EmptyState title="You are not in a team yet" sentence="Ask a team admin or platform admin to add you." />
          ) : (
            <div className="b-grid">
              {found.map(({ name, displayName, description, clusterCount }) => (
                <section key={name} className="b-panel">
                  <div className="b-panel-head">
                    <h2>
                      <Link to="/t/$team" params={{ team: name }}>
                        {displayName === "" ? name : displayName}
                      </Link>
                    </h2>
                    <Chip>{roleWords[actingRole(rolesOf(me, name))]}</Chip>
                  </div>
                  {description !== "" && <p dir="auto">{description}</p>}
                  <p className="b-soft">{clusterCount === 1 ? "1 cluster" : `${clusterCount} clusters`}</p>
                </section>
              ))}
            </div>
          )
        }
      </QueryView>
    </Page>
  );
}
