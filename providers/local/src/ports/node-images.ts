/** The node image of a Kubernetes version. */
export type NodeImages = (kubernetesVersion: string) => string;

/** The repository of Butler's published node images. */
export const nodeImageRepository = "ghcr.io/butlerdotdev/butler-node";

/** Images of one repository, tagged by version. A tag cannot contain the plus sign of build metadata. */
export function nodeImagesFrom(repository: string = nodeImageRepository): NodeImages {
  return (kubernetesVersion) => `${repository}:${kubernetesVersion.replaceAll("+", "_")}`;
}
