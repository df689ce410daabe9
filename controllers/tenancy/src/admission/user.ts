import { isSameEmail } from "@butler/access";
import { User } from "@butler/api";
import { denied } from "@butler/controller";
import { admissionHandler, type AdmissionRequest, type Denial, type KubeClient } from "@butler/kube";
import { deepEqual } from "@butler/std";
import { type AuthoritySource, listUsers, readRequester, type Requester } from "./requester.ts";

/** The input for validating an account. */
export interface UserInput {
  readonly user: User;
  readonly before: User | undefined;
  readonly requester: Requester;
  /** All accounts. */
  readonly users: readonly User[];
}

/** Fields that define an account's identity and sign-in; changing them takes over that user's permissions. */
const identityFields = ["email", "authType", "ssoProvider", "ssoSubject", "disabled"] as const;

/** Every reason to reject an account or a change to it. */
export function decideUser(input: UserInput): Denial[] {
  const { user, before } = input;
  if (before !== undefined && deepEqual(before.spec, user.spec)) return [];
  return [...addressDenials(input), ...authorityDenials(input)];
}

function addressDenials({ user, before, users }: UserInput): Denial[] {
  const { email } = user.spec;
  if (before !== undefined && isSameEmail(before.spec.email, email)) return [];
  const holder = users.find(
    ({ metadata, spec }) => metadata.name !== user.metadata.name && isSameEmail(spec.email, email),
  );
  if (holder === undefined) return [];
  return denied(
    "DUPLICATE",
    "spec.email",
    `${email} is already used by User ${holder.metadata.name} (case-insensitive)`,
  );
}

function authorityDenials({ user, before, requester }: UserInput): Denial[] {
  if (requester.isTrusted || requester.isPlatformAdmin) return [];
  const none = { isPlatformAdmin: false, platformRole: undefined };
  const was = before?.spec ?? none;
  const fields = [
    ...(was.isPlatformAdmin === user.spec.isPlatformAdmin ? [] : ["isPlatformAdmin"]),
    ...((was.platformRole ?? "") === (user.spec.platformRole ?? "") ? [] : ["platformRole"]),
    ...identityFields.filter((field) => before !== undefined && before.spec[field] !== user.spec[field]),
  ];
  const message = "can only be set by a platform administrator";
  return fields.flatMap((field) => denied("FORBIDDEN", `spec.${field}`, message));
}

/** What validating accounts needs. */
export interface UserAdmissionInput extends AuthoritySource {
  readonly client: Pick<KubeClient, "list" | "create">;
}

/** Validates accounts on create and update. */
export function userAdmission(input: UserAdmissionInput) {
  return admissionHandler(User, { validate: (request, signal) => judge(request, input, signal) });
}

async function judge(
  { operation, object: user, oldObject: before, userInfo }: AdmissionRequest<User>,
  input: UserAdmissionInput,
  signal: AbortSignal,
): Promise<Denial[]> {
  if (operation === "DELETE" || user === undefined) return [];
  if (before !== undefined && deepEqual(before.spec, user.spec)) return [];
  const requester = await readRequester(userInfo, input, signal);
  return decideUser({ user, before, requester, users: await listUsers(input.client, signal) });
}
