import type { ApiClient } from "@butler/kube";
import type { Clock } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import type { AddressGuard } from "../people/address-guard.ts";
import type { KnownDevices } from "../people/known-devices.ts";
import type { OneAtATime } from "../people/one-at-a-time.ts";
import type { PasswordHasher } from "../people/password-hasher.ts";
import type { SignInTries } from "../people/sign-in-tries.ts";
import type { RecordLimits } from "../../audit/record-limits.ts";
import type { AuditSink } from "../../ports.ts";
import type { SessionAuthenticator } from "../sessions/authenticator.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { KeyRing } from "../sessions/signing-keys.ts";
import type { ServerState } from "../../state/state.ts";
import type { FlowParts } from "./oidc-flow.ts";

/** Dependencies of sign-in. */
export interface SignInParts {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: AuditSink;
  readonly recordLimits: RecordLimits;
  /** URL of the console; empty when it is not known. */
  readonly publicUrl: string;
  readonly keys: KeyRing;
  readonly sessions: SessionStore;
  readonly authenticator: SessionAuthenticator;
  readonly hasher: PasswordHasher;
  readonly tries: OneAtATime;
  readonly places: SignInTries;
  readonly devices: KnownDevices;
  readonly addresses: AddressGuard;
  readonly flow: FlowParts;
  /** Minimum response time of a failed sign-in, whatever the reason. */
  readonly failureMs: number;
}
