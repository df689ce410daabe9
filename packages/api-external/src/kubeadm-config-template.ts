import type { Kind, KubeObject } from "@butler/resource";
import { bootstrapGroup } from "./cluster-api-names.ts";

/** The template that Cluster API's kubeadm bootstrap provider generates bootstrap data from. */
export const KubeadmConfigTemplate = {
  group: bootstrapGroup,
  version: "v1beta2",
  kind: "KubeadmConfigTemplate",
  plural: "kubeadmconfigtemplates",
  scope: "Namespaced",
} as const satisfies Kind;

/** A file that the bootstrap writes on the machine. */
export interface KubeadmFile {
  path: string;
  owner?: string | undefined;
  permissions?: string | undefined;
  encoding?: "base64" | "gzip" | "gzip+base64" | undefined;
  append?: boolean | undefined;
  content?: string | undefined;
  contentFrom?: { secret: { name: string; key: string } } | undefined;
}

/** A user that the bootstrap creates on the machine. */
export interface KubeadmUser {
  name: string;
  gecos?: string | undefined;
  groups?: string | undefined;
  homeDir?: string | undefined;
  inactive?: boolean | undefined;
  shell?: string | undefined;
  passwd?: string | undefined;
  passwdFrom?: { secret: { name: string; key: string } } | undefined;
  primaryGroup?: string | undefined;
  lockPassword?: boolean | undefined;
  sudo?: string | undefined;
  sshAuthorizedKeys?: string[] | undefined;
}

/** How `kubeadm join` registers the node. */
export interface NodeRegistration {
  name?: string | undefined;
  criSocket?: string | undefined;
  ignorePreflightErrors?: string[] | undefined;
  imagePullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
  /** A flag can be repeated. */
  kubeletExtraArgs?: { name: string; value: string }[] | undefined;
  taints?: { key: string; value?: string | undefined; effect: string }[] | undefined;
}

/** The fields of a KubeadmConfigTemplate that Butler writes. */
export interface KubeadmConfigTemplate extends KubeObject {
  spec?:
    | {
        template: {
          metadata?:
            | { labels?: Record<string, string> | undefined; annotations?: Record<string, string> | undefined }
            | undefined;
          spec?:
            | {
                joinConfiguration?:
                  | {
                      nodeRegistration?: NodeRegistration | undefined;
                      patches?: { directory?: string | undefined } | undefined;
                      skipPhases?: string[] | undefined;
                    }
                  | undefined;
                files?: KubeadmFile[] | undefined;
                users?: KubeadmUser[] | undefined;
                bootCommands?: string[] | undefined;
                preKubeadmCommands?: string[] | undefined;
                postKubeadmCommands?: string[] | undefined;
                format?: "cloud-config" | "ignition" | undefined;
                verbosity?: number | undefined;
              }
            | undefined;
        };
      }
    | undefined;
}
