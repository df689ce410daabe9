/** How Cluster API refers to objects of a provider: the same namespace, and whichever version keeps the contract. */
export interface ContractReference {
  apiGroup: string;
  kind: string;
  name: string;
}

/** Where clients reach an API server. */
export interface ApiEndpoint {
  host: string;
  port: number;
}
