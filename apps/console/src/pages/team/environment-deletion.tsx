import { deleteEnvironment, getTeam } from "@butler/contract";
import { useToast } from "@butler/ui";
import { useRouteMutation } from "../../data/route-query.ts";
import { AskFirst } from "../../parts/ask-first.tsx";

/** Which environment goes, and what happens afterwards. */
export interface EnvironmentDeletionProps {
  readonly team: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Asks for the name of an environment before it is deleted. */
export function EnvironmentDeletion({ team, name, onClose }: EnvironmentDeletionProps) {
  const toast = useToast();
  const remove = useRouteMutation(deleteEnvironment, {
    refreshes: [getTeam],
    onSuccess: () => {
      toast({ kind: "done", title: `The environment ${name} is gone` });
      onClose();
    },
  });
  return (
    <AskFirst
      title={`Delete the environment ${name}?`}
      sentence="Its limits, presets and roles go. No cluster is in it, so none is touched."
      wantedName={name}
      confirm="Delete environment"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { team, environment: name } })}
      onClose={onClose}
    />
  );
}
