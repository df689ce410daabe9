import { type IdentityProvider, namespaces, secretKeys } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { type Clock, isRecord, NotFound, Unavailable } from "@butler/std";
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { jsonIn } from "../sessions/session-record.ts";
import type { outgoingFetch } from "@butler/administration/issuers";

const scope = "https://www.googleapis.com/auth/admin.directory.group.readonly";
const mostPages = 10;

const keyFile = z.object({
  client_email: z.string(),
  private_key: z.string(),
  token_uri: z.string().default("https://oauth2.googleapis.com/token"),
});

/** Dependencies for reading groups from Google's directory. */
export interface GoogleParts {
  readonly client: Pick<KubeClient, "find">;
  readonly clock: Clock;
  readonly fetch: ReturnType<typeof outgoingFetch>;
  /** Address of the directory; Google's own unless said otherwise. */
  readonly directoryUrl?: string | undefined;
}

type GoogleSettings = NonNullable<NonNullable<IdentityProvider["spec"]["oidc"]>["googleWorkspace"]>;

/**
 * Email addresses of a user's groups from Google's directory, because Google's tokens contain no groups. Throws NotFound
 * if the directory has no such user.
 */
export async function googleGroupsOf(
  parts: GoogleParts,
  { serviceAccountSecretRef, adminEmail }: GoogleSettings,
  email: string,
): Promise<string[]> {
  const { name, namespace = namespaces.system, key = secretKeys.serviceAccountJson } = serviceAccountSecretRef;
  const secret = await parts.client.find(builtinKinds.Secret, { name, namespace });
  const read = keyFile.safeParse(jsonIn(secret, key));
  if (!read.success) throw new Unavailable("the service account key is missing or invalid");
  const token = await accessToken(parts, read.data, adminEmail);
  const groups: string[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const found = await pageOfGroups(parts, { email, token, pageToken });
    groups.push(...found.groups);
    pageToken = found.nextPageToken;
    if (pageToken === undefined) break;
  }
  return groups.sort();
}

interface GroupQuestion {
  readonly email: string;
  readonly token: string;
  readonly pageToken: string | undefined;
}

async function pageOfGroups({ fetch, directoryUrl }: GoogleParts, { email, token, pageToken }: GroupQuestion) {
  const address = new URL(directoryUrl ?? "https://admin.googleapis.com/admin/directory/v1/groups");
  address.searchParams.set("userKey", email);
  address.searchParams.set("maxResults", "200");
  if (pageToken !== undefined) address.searchParams.set("pageToken", pageToken);
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  if (response.status === 404) throw new NotFound("the directory has no such user");
  const answer = await jsonFrom(response);
  const found: unknown[] = Array.isArray(answer["groups"]) ? answer["groups"] : [];
  const emails = found.map((group) => (isRecord(group) ? group["email"] : undefined));
  const groups = emails.filter((group): group is string => typeof group === "string");
  const next = answer["nextPageToken"];
  return { groups, nextPageToken: typeof next === "string" && next !== "" ? next : undefined };
}

/** A token that acts as the administrator, for the key of the service account (RFC 7523). */
async function accessToken(
  { clock, fetch }: GoogleParts,
  { client_email: account, private_key: privateKey, token_uri: tokenUrl }: z.output<typeof keyFile>,
  adminEmail: string,
): Promise<string> {
  const seconds = Math.floor(clock.now().getTime() / 1_000);
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(account)
    .setSubject(adminEmail)
    .setAudience(tokenUrl)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 300)
    .sign(await importPKCS8(privateKey, "RS256"));
  const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
  const answer = await jsonFrom(await fetch(tokenUrl, { method: "POST", body }));
  const token = answer["access_token"];
  if (typeof token !== "string") throw new Unavailable("Google returned no token for the service account");
  return token;
}

async function jsonFrom(response: Response): Promise<Record<string, unknown>> {
  if (!response.ok) throw new Unavailable(`Google returned ${response.status}`);
  const answer: unknown = await response.json();
  if (!isRecord(answer)) throw new Unavailable("Google returned a response that is not JSON");
  return answer;
}
