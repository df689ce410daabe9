import { stewardDomain } from "../names.ts";

/** The DataStore that a control plane without one gets, and that comes with the installation. */
export const defaultDataStoreName = "default";

/** The label of Secrets and pods of an etcd that Steward brought, with the name of the DataStore that they serve. */
export const dataStoreLabel = `${stewardDomain}/data-store`;

/** The annotation of a Secret whose certificate Steward renews: the Secret, in the same namespace, of who signs. */
export const signedByAnnotation = `${stewardDomain}/signed-by`;

/** The annotation of an etcd's pods with a digest of the authorities that they were started with. */
export const authoritiesAnnotation = `${stewardDomain}/authorities`;

/** The annotation of a shared etcd's Secrets: how many members it was made for, which cannot be changed later. */
export const membersAnnotation = `${stewardDomain}/etcd-members`;

/** The finalizer that keeps a DataStore while control planes keep their state there. */
export const dataStoreFinalizer = `finalizer.${stewardDomain}/data-store-in-use`;
