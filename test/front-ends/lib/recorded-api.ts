import type { TenantCluster } from "@butler/api";
import { ApiClient, type ApiRequest, errorFromResponse, type Requests } from "@butler/kube";

/** How the API server rejects a patch. */
export interface Rejection {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

/** The API server as an operation on one cluster sees it: returns the cluster, and records patches. */
export class RecordedApi {
  readonly patches: { readonly contentType: string | undefined; readonly body: unknown }[] = [];
  readonly client: ApiClient;

  constructor(cluster: TenantCluster, rejection?: Rejection) {
    const answer = ({ method, action, contentType, body }: ApiRequest): unknown => {
      if (method === "GET") return cluster;
      if (rejection !== undefined) {
        const { status } = rejection;
        throw errorFromResponse({ status, retryAfter: undefined, body: JSON.stringify(rejection), action });
      }
      this.patches.push({ contentType, body });
      return cluster;
    };
    const transport: Requests = {
      json: <T>(request: ApiRequest) => Promise.resolve().then(() => answer(request) as T),
      stream: () => Promise.reject(new Error("an operation opens no stream")),
    };
    this.client = new ApiClient(transport);
  }
}
