import { listSessionsOfUser } from "@butler/contract";
import { Moment } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery } from "../../../data/route-query.ts";
import { QueryView } from "../../../parts/query-view.tsx";

/** Sessions of an account. */
export function UserSessions({ user }: { readonly user: string }) {
  const sessions = useQuery(routeQuery(listSessionsOfUser, { params: { user } }));
  return (
    <section aria-label="Sessions">
      <h3>Sessions</h3>
      <QueryView query={sessions}>
        {({ sessions: found }) =>
          found.length === 0 ? (
            <p className="b-soft">No active sessions.</p>
          ) : (
            <ul>
              {found.map(({ id, sourceAddress, userAgent, usedAt, createdAt, isCurrent }) => (
                <li key={id}>
                  <p>
                    <span className="b-mono">{sourceAddress}</span> {isCurrent && "(current)"}
                  </p>
                  <p className="b-soft">
                    {userAgent === "" ? "Unknown browser" : userAgent} · created <Moment at={createdAt} /> ago, last
                    used <Moment at={usedAt} /> ago
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}
