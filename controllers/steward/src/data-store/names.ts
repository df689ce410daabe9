const domain = "steward.butlerlabs.dev";

/** The DataStore that a control plane without one gets, and that comes with the installation. */
export const defaultDataStoreName = "default";

/** The label that everything of Steward's carries. */
export const projectLabel = `${domain}/project`;

/** The label that says which part an object is. */
export const componentLabel = `${domain}/component`;

/** The label of Secrets and pods of an etcd that Steward brought, with the name of the DataStore that they serve. */
export const dataStoreLabel = `${domain}/data-store`;

/** The annotation of a Secret whose certificate Steward renews: the Secret, in the same namespace, of who signs. */
export const signedByAnnotation = `${domain}/signed-by`;

/** The annotation of an etcd's pods with a digest of the authorities that they were started with. */
export const authoritiesAnnotation = `${domain}/authorities`;

/** The annotation whose mere presence makes Steward leave an object alone. */
export const pausedAnnotation = `${domain}/paused`;

/** The finalizer that keeps a DataStore while control planes keep their state there. */
export const dataStoreFinalizer = `finalizer.${domain}/data-store-in-use`;
