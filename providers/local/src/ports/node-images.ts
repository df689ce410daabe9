/** The image of machines that run a version of Kubernetes. */
export type NodeImages = (kubernetesVersion: string) => string;

/** Where Butler publishes its node images. */
export const nodeImageRepository = "ghcr.io/butlerdotdev/butler-node";

/** Images of one repository, tagged by version. A tag cannot carry the plus sign of a version's build part. */
export function nodeImagesFrom(repository: string = nodeImageRepository): NodeImages {
  return (kubernetesVersion) => `${repository}:${kubernetesVersion.replaceAll("+", "_")}`;
}
