import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accessEndOf,
  cliLifetimes,
  type CliLogin,
  endOf,
  isAccess,
  judgeRefresh,
  type LoginAccount,
  rotated,
} from "./login.ts";
import { hashOf, newId, newSecret, readToken, tokenText } from "./secrets.ts";

const start = new Date("2026-01-01T00:00:00Z");
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000);

function aLogin(traits: Partial<CliLogin> = {}): CliLogin {
  return {
    userUid: "uid",
    userName: "ada",
    clientName: "butlerctl on laptop",
    sourceAddress: "10.0.0.1",
    createdAt: start.toISOString(),
    refreshedAt: start.toISOString(),
    accessHash: hashOf("access-0"),
    refreshHash: hashOf("refresh-0"),
    usedHashes: [],
    ...traits,
  };
}

const aUser = (spec: object, status: object = {}): LoginAccount["user"] => ({
  spec: { email: "ada@example.com", disabled: false, authType: "internal", isPlatformAdmin: false, ...spec },
  status,
});
const withPassword: LoginAccount = { user: aUser({}), canAskGroups: false };
const at = (login: CliLogin, now: Date) => ({ now, end: endOf(login, withPassword) });

const once = rotated(aLogin(), { access: "access-1", refresh: "refresh-1", now: after(60) });

describe("a refresh token", () => {
  it.each([
    ["the current token", once, "refresh-1", after(61), "rotate"],
    ["the previous token, within the grace period", once, "refresh-0", after(65), "raced"],
    ["the previous token, later", once, "refresh-0", after(71), "reused"],
    ["an unknown token", once, "other", after(61), "unknown"],
    ["an access token", once, "access-1", after(61), "unknown"],
    ["the current token, after a week without use", once, "refresh-1", after(60 + cliLifetimes.idleSeconds), "ended"],
  ])("is judged: %s", (_which, login, secret, now, verdict) => {
    expect(judgeRefresh(login, secret, at(login, now))).toBe(verdict);
  });

  it("older than the previous one ends the sign-in, however soon it is reused", () => {
    const twice = rotated(once, { access: "access-2", refresh: "refresh-2", now: after(61) });
    expect(judgeRefresh(twice, "refresh-0", at(twice, after(61)))).toBe("reused");
  });

  it("is accepted exactly once in any history", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3_600 }), { minLength: 1, maxLength: 15 }), (pauses) => {
        let login = aLogin();
        let now = start;
        for (const [index, pause] of pauses.entries()) {
          now = new Date(now.getTime() + pause * 1_000);
          expect(judgeRefresh(login, `refresh-${index}`, at(login, now))).toBe("rotate");
          login = rotated(login, { access: `access-${index + 1}`, refresh: `refresh-${index + 1}`, now });
          const later = new Date(now.getTime() + cliLifetimes.graceSeconds * 1_000);
          for (let old = 0; old <= index; old++) {
            expect(judgeRefresh(login, `refresh-${old}`, at(login, later))).toBe("reused");
          }
        }
      }),
    );
  });
});

describe("a sign-in", () => {
  it("expires after thirty days, however often it is refreshed", () => {
    const late = after(cliLifetimes.totalSeconds - 60);
    const login = rotated(aLogin(), { access: "a", refresh: "r", now: late });
    expect(endOf(login, withPassword)).toEqual(after(cliLifetimes.totalSeconds));
  });

  const ofProvider = { authType: "sso", ssoProvider: "company" };
  const reported = (seconds: number) => ({ groupsResolvedAt: after(seconds).toISOString() });
  it.each<[string, LoginAccount, number]>([
    ["with a password, after a week without use", withPassword, cliLifetimes.idleSeconds],
    [
      "whose provider reports groups at sign-ins only, a day after the last one",
      { user: aUser(ofProvider, reported(3_600)), canAskGroups: false },
      3_600 + cliLifetimes.groupSeconds,
    ],
    [
      "whose groups were reported before the sign-in, a day after the report",
      { user: aUser(ofProvider, reported(-7_200)), canAskGroups: false },
      cliLifetimes.groupSeconds - 7_200,
    ],
    [
      "of an earlier version, a day after the last sign-in in a browser",
      { user: aUser(ofProvider, { lastLoginTime: after(60).toISOString() }), canAskGroups: false },
      60 + cliLifetimes.groupSeconds,
    ],
    [
      "without any such time, a day after its creation",
      { user: aUser(ofProvider), canAskGroups: false },
      cliLifetimes.groupSeconds,
    ],
    [
      "whose groups are asked for at each refresh, after a week without use",
      { user: aUser(ofProvider, reported(0)), canAskGroups: true },
      cliLifetimes.idleSeconds,
    ],
  ])("ends for an account %s", (_which, account, seconds) => {
    expect(endOf(aLogin(), account)).toEqual(after(seconds));
  });

  it("accepts no token after its end", () => {
    const [now, end] = [after(61), after(61)];
    expect(isAccess(once, "access-1", { now, end })).toBe(false);
    expect(judgeRefresh(once, "refresh-1", { now, end })).toBe("ended");
  });

  it.each([
    ["the current access token", "access-1", after(61), true],
    ["the previous access token", "access-0", after(61), false],
    ["a refresh token", "refresh-1", after(61), false],
    ["the current access token, after its hour", "access-1", accessEndOf(once), false],
  ])("accepts %s: %s", (_which, secret, now, expected) => {
    expect(isAccess(once, secret, at(once, now))).toBe(expected);
  });
});

describe("tokens", () => {
  it("contain the id of their record, and are accepted only as their own type", () => {
    const [id, secret] = [newId(), newSecret()];
    const token = tokenText("bcr", id, secret);
    expect(readToken("bcr", token)).toEqual({ id, secret });
    for (const wrong of [token.slice(1), `${token}x`, token.replace("bcr", "bca"), `bcr_../../${secret}`, ""]) {
      expect(readToken("bcr", wrong)).toBeUndefined();
    }
  });
});
