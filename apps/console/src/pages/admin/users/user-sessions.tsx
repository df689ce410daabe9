import { listSessionsOfUser } from "@butler/contract";
import { Moment } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery } from "../../../data/route-query.ts";
import { QueryView } from "../../../parts/query-view.tsx";

/** Where an account is signed in. */
export function UserSessions({ user }: { readonly user: string }) {
  const sessions = useQuery(routeQuery(listSessionsOfUser, { params: { user } }));
  return (
    <section aria-label="Sessions">
      <h3>Sessions</h3>
      <QueryView query={sessions}>
        {({ sessions: found }) =>
          found.length === 0 ? (
            <p className="b-soft">Not signed in anywhere.</p>
          ) : (
            <ul>
              {found.map(({ id, sourceAddress, userAgent, usedAt, createdAt, isCurrent }) => (
                <li key={id}>
                  <p>
                    <span className="b-mono">{sourceAddress}</span> {isCurrent && "(this one)"}
                  </p>
                  <p className="b-soft">
                    {userAgent === "" ? "Unnamed browser" : userAgent} · opened <Moment at={createdAt} /> ago, used{" "}
                    <Moment at={usedAt} /> ago
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
