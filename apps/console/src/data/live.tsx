import type { LiveChannel, LiveConnection, LiveFilter } from "@butler/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { type Live, takeLive } from "./early-live.ts";
import { type LiveList, liveKey } from "./live-store.ts";

const LiveContext = createContext<Live | undefined>(undefined);

/** Holds the WebSocket of the page while a user is signed in. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [live, setLive] = useState<Live>();
  useEffect(() => {
    const taken = takeLive(queries);
    setLive(taken);
    return () => taken.close();
  }, [queries]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** State of the live connection. */
export function useLiveConnection(): LiveConnection {
  const live = useContext(LiveContext);
  return useSyncExternalStore(
    (listener) => live?.connection.follow(listener) ?? (() => undefined),
    () => live?.connection.current ?? "connecting",
  );
}

/** Current state of a live list. */
export interface LiveListView<Item> {
  /** Undefined until the first snapshot arrives. */
  readonly items: readonly Item[] | undefined;
  readonly error: LiveList<Item>["error"];
  /** Whether the connection is down, so that the data may be out of date. */
  readonly isStale: boolean;
}

/** The objects of a channel, kept up to date. With an undefined filter nothing is subscribed. */
export function useLiveList<Item>(channel: LiveChannel, filter: LiveFilter | undefined): LiveListView<Item> {
  const live = useContext(LiveContext);
  const connection = useLiveConnection();
  const { team, namespace, cluster, isBrief } = filter ?? {};
  const isWanted = filter !== undefined;
  useEffect(() => {
    if (!isWanted) return;
    return live?.store.follow(channel, {
      ...(team && { team }),
      ...(namespace && { namespace }),
      ...(cluster && { cluster }),
      ...(isBrief && { isBrief }),
    });
  }, [live, channel, team, namespace, cluster, isBrief, isWanted]);
  const { data } = useQuery<LiveList<Item>>({
    queryKey: liveKey(channel, filter ?? {}),
    queryFn: () => Promise.reject(new Error("live lists are populated by their channel and cannot be fetched")),
    enabled: false,
    // Unchanged objects keep their identity; comparing thousands of them would be slow.
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { items: data?.items, error: data?.error, isStale: connection === "waiting" || connection === "refused" };
}
