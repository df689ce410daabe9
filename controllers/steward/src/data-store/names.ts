import { stewardDomain } from "../names.ts";

/** The default DataStore of control planes, created by the installation. */
export const defaultDataStoreName = "default";

/** The label of Secrets and pods of an etcd of Steward, with the name of its DataStore. */
export const dataStoreLabel = `${stewardDomain}/data-store`;

/** The annotation of a Secret whose certificate Steward renews: the CA Secret in the same namespace. */
export const signedByAnnotation = `${stewardDomain}/signed-by`;

/** The annotation of an etcd's pods with a digest of the CAs that they were started with. */
export const authoritiesAnnotation = `${stewardDomain}/authorities`;

/** The annotation of a shared etcd's Secrets with its immutable number of members. */
export const membersAnnotation = `${stewardDomain}/etcd-members`;

/** The finalizer that blocks the deletion of a DataStore while control planes use it. */
export const dataStoreFinalizer = `finalizer.${stewardDomain}/data-store-in-use`;
