import { deleteEnvironment, getTeam } from "@butler/contract";
import { useToast } from "@butler/ui";
import { useRouteMutation } from "../../data/route-query.ts";
import { AskFirst } from "../../parts/ask-first.tsx";

/** Props of the deletion dialog. */
export interface EnvironmentDeletionProps {
  readonly team: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Requires typing the name of an environment before it is deleted. */
export function EnvironmentDeletion({ team, name, onClose }: EnvironmentDeletionProps) {
  const toast = useToast();
  const remove = useRouteMutation(deleteEnvironment, {
    refreshes: [getTeam],
    onSuccess: () => {
      toast({ kind: "done", title: `Environment ${name} deleted` });
      onClose();
    },
  });
  return (
    <AskFirst
      title={`Delete environment ${name}?`}
      sentence="The environment contains no clusters. Its limits, defaults and roles are deleted."
      wantedName={name}
      confirm="Delete environment"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { team, environment: name } })}
      onClose={onClose}
    />
  );
}
