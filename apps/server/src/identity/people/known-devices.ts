import type { User } from "@butler/api";
import type { Clock } from "@butler/std";
import { errors, jwtVerify, SignJWT } from "jose";
import type { IncomingRequest } from "../../ports.ts";
import { cookieText, isOverTls, ownCookie } from "../sessions/cookies.ts";

/** Dependencies of known devices. */
export interface KnownDevicesOptions {
  /** Key of all replicas. */
  readonly key: Uint8Array;
  readonly clock: Clock;
  readonly publicUrl: string;
}

const cookieName = "butler_device";
const lifetimeSeconds = 180 * 24 * 3_600;
const [issuer, audience, algorithm] = ["butler-server", "butler-device", "HS256"];

/**
 * Devices on which an account has signed in with its current password. Failed sign-ins from elsewhere do not affect
 * them. The cookie is no credential: without the password it opens nothing.
 */
export class KnownDevices {
  readonly #options: KnownDevicesOptions;

  constructor(options: KnownDevicesOptions) {
    this.#options = options;
  }

  /** The cookie of a device on which an account has just proven its password. */
  async cookieFor(user: User, request: Pick<IncomingRequest, "isSecure">): Promise<string> {
    const { key, clock, publicUrl } = this.#options;
    const seconds = Math.floor(clock.now().getTime() / 1_000);
    const token = await new SignJWT({ pwd: passwordOf(user) })
      .setProtectedHeader({ alg: algorithm, typ: "device+jwt" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(user.metadata.uid ?? "")
      .setJti(crypto.randomUUID())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + lifetimeSeconds)
      .sign(key);
    const isSecure = isOverTls(request, publicUrl);
    const common = { path: "/api/auth", sameSite: "strict", maxAgeSeconds: lifetimeSeconds } as const;
    return cookieText(cookieName, token, { ...common, isSecure });
  }

  /** The ID of the device that a request comes from; undefined if the account is not known there. */
  async idOf(user: User, request: Pick<IncomingRequest, "headers" | "isSecure">): Promise<string | undefined> {
    const { key, clock, publicUrl } = this.#options;
    const token = ownCookie(request, cookieName, publicUrl);
    if (token === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer,
        audience,
        subject: user.metadata.uid ?? "",
        algorithms: [algorithm],
        typ: "device+jwt",
        currentDate: clock.now(),
        requiredClaims: ["jti", "exp", "sub"],
      });
      return payload["pwd"] === passwordOf(user) ? payload.jti : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

/** Each password has a Secret of its own: a new one makes all devices unknown. */
function passwordOf({ status }: User): string {
  return status?.passwordSecretRef?.name ?? "";
}
