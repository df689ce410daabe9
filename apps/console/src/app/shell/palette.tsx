import { CommandPalette, type PaletteEntry } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { BriefCluster } from "@butler/contract";
import { useLiveList } from "../../data/live.tsx";
import { teamsQuery, useMe } from "../../session/me.ts";
import { rolesOf } from "../../session/user-roles.ts";
import { useActionEntries } from "../actions.tsx";
import { placesFor } from "./places-for.ts";

/** Props of the palette. */
export interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly team: string | undefined;
}

/** The Ctrl-K palette: places, clusters, teams and the actions of the page. */
export function Palette({ isOpen, onClose, team }: PaletteProps) {
  return <CommandPalette isOpen={isOpen} onClose={onClose} entries={useEntries(isOpen, team)} />;
}

function useEntries(isOpen: boolean, team: string | undefined): PaletteEntry[] {
  const navigate = useNavigate();
  const me = useMe();
  const actions = useActionEntries();
  const { data: teams } = useQuery({ ...teamsQuery, enabled: isOpen, staleTime: 0 });
  const { items: clusters } = useLiveList<BriefCluster>("clusters", isOpen ? { isBrief: true } : undefined);
  if (!isOpen) return [];
  return [
    ...actions,
    ...placesFor(rolesOf(me, team), team).map(({ id, label, to, keys }) => ({
      id: `place ${id}`,
      label,
      group: "Go to",
      ...(keys && { keys }),
      onSelect: () => void navigate({ to, params: { team: team ?? "" } }),
    })),
    ...(teams?.teams ?? []).map(({ name, displayName }) => ({
      id: `team ${name}`,
      label: displayName === "" ? name : displayName,
      group: "Team",
      words: name,
      onSelect: () => void navigate({ to: "/t/$team", params: { team: name } }),
    })),
    ...(clusters ?? []).map(({ metadata: { name, namespace = "" }, spec }) => ({
      id: `cluster ${namespace}/${name}`,
      label: name,
      group: "Cluster",
      words: `${namespace} ${spec.teamRef?.name ?? ""}`,
      onSelect: () =>
        void navigate({
          to: "/t/$team/clusters/$namespace/$name",
          params: { team: spec.teamRef?.name ?? namespace, namespace, name },
        }),
    })),
  ];
}
