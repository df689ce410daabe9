import { clusterKubeconfigRoute } from "@butler/contract";
import { Button, useToast } from "@butler/ui";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useActions } from "../../app/actions.tsx";
import { useRouteMutation } from "../../data/route-query.ts";
import { type ClusterView, environmentOf } from "../../parts/cluster-facts.ts";
import { mayGetKubeconfig } from "../../parts/operating.ts";
import { useMe } from "../../session/me.ts";

const teamApi = getRouteApi("/signed-in/t/$team");

/** Downloads the kubeconfig of a cluster. Shown to admins once the cluster has an endpoint. */
export function KubeconfigButton({ cluster }: { readonly cluster: ClusterView }) {
  const { namespace = "", name } = cluster.metadata;
  const say = useToast();
  const fetching = useRouteMutation(clusterKubeconfigRoute, {
    onSuccess: ({ kubeconfig }) => {
      keepAsFile(`${name}.kubeconfig`, kubeconfig);
      say({ kind: "done", title: "Kubeconfig downloaded", detail: "Anyone with this file can access the cluster." });
    },
    onError: (error) => say({ kind: "failed", title: "Could not download the kubeconfig", detail: error.message }),
  });
  const { mutate } = fetching;
  const isThere = cluster.status?.controlPlaneEndpoint !== undefined;
  const mayHave = mayGetKubeconfig({ me: useMe(), team: teamApi.useLoaderData() }, environmentOf(cluster)) && isThere;
  const actions = useMemo(
    () =>
      mayHave
        ? [
            {
              id: "kubeconfig",
              label: `Download kubeconfig for ${name}`,
              perform: () => mutate({ params: { namespace, name } }),
            },
          ]
        : [],
    [mayHave, mutate, namespace, name],
  );
  useActions(actions);
  if (!mayHave) return undefined;
  return (
    <Button isBusy={fetching.isPending} onClick={() => mutate({ params: { namespace, name } })}>
      Kubeconfig
    </Button>
  );
}

function keepAsFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
