import { builtinKinds, type KubeObject } from "@butler/resource";
import type { ClusterInput, MachineProvider } from "./machine-provider.ts";

/** The keys missing from the credentials, each as a sentence. */
export function missingCredentials(
  { provider, credentials }: ClusterInput,
  { credentialKeys }: Pick<MachineProvider, "credentialKeys">,
): string[] {
  const secret = provider.spec.credentialsRef?.name ?? "";
  return credentialKeys
    .filter((key) => (credentials[key] ?? "") === "")
    .map(
      (key) => `Secret "${secret}" with the credentials for ProviderConfig ${provider.metadata.name} is missing ${key}`,
    );
}

/** A Secret in the namespace of the cluster's other objects. */
export function credentialsSecret(
  { namespace, labels, annotations }: ClusterInput,
  name: string,
  texts: Readonly<Record<string, string>>,
): KubeObject {
  const data = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  return {
    apiVersion: "v1",
    kind: builtinKinds.Secret.kind,
    metadata: { name, namespace, labels: { ...labels }, annotations: { ...annotations } },
    type: "Opaque",
    data: Object.fromEntries(data),
  } as KubeObject;
}

/** Sentences without duplicates. */
export function withoutRepeats(sentences: readonly string[]): string[] {
  return [...new Set(sentences)];
}
