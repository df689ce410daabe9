/** Minimum length of a password, and maximum bytes that bcrypt uses. */
const leastCharacters = 12;
const mostBytes = 72;

/** Common passwords, in lower case without surrounding digits and signs. */
const worst = [
  "password",
  "passwort",
  "letmein",
  "welcome",
  "qwerty",
  "qwertyuiop",
  "iloveyou",
  "administrator",
  "changeme",
  "butler",
  "kubernetes",
  "abc",
  "secret",
  "monkey",
  "dragon",
];

/** Why a password is rejected; undefined if it is accepted. */
export function passwordFault(password: string, email: string): string | undefined {
  if (Array.from(password).length < leastCharacters)
    return `the password must be at least ${leastCharacters} characters long`;
  const bytes = new TextEncoder().encode(password).length;
  if (bytes > mostBytes) {
    return `the password must be at most ${mostBytes} bytes long, but is ${bytes}; accented letters count as 2 bytes`;
  }
  const plain = password.trim().toLowerCase();
  const address = email.trim().toLowerCase();
  const [local = ""] = address.split("@");
  if (address !== "" && (plain === address || plain.replaceAll(/[^a-z]/g, "") === local.replaceAll(/[^a-z]/g, ""))) {
    return "the password must not be the email address";
  }
  if (new Set(plain).size < 5) return "the password must contain at least 5 different characters";
  return isWorst(plain) ? "the password is too common" : undefined;
}

/** Whether a password is a listed word, also repeated or surrounded by digits and signs, or a keyboard row. */
function isWorst(plain: string): boolean {
  const letters = plain
    .replaceAll("@", "a")
    .replaceAll("$", "s")
    .replaceAll("0", "o")
    .replaceAll(/[^a-z]/g, "");
  const isRow = "12345678901234567890".includes(plain) || "qwertyuiopasdfghjklzxcvbnm".includes(plain);
  return isRow || worst.some((word) => letters !== "" && letters.replaceAll(word, "") === "");
}

/** Number of failures without a lockout, since users mistype. */
const freeFailures = 4;
const firstDelayMs = 1_000;
const longestDelayMs = 15 * 60_000;

/** How long a place has to wait after consecutive failed sign-ins: doubles each time, up to a limit. */
export function lockoutDelayMs(failures: number): number {
  if (failures <= freeFailures) return 0;
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(30, failures - freeFailures - 1));
}

/** Failed sign-ins of all unknown devices together before an account slows them down. */
const freeAccountFailures = 50;
const longestBrakeMs = 60_000;
/** A device on which the account is known waits no longer than this. */
const longestDeviceDelayMs = 2_000;

/**
 * How long unknown devices have to wait after failures from anywhere: a brake on guesses from many addresses. One
 * address alone does not get that far, because its own waits grow.
 */
export function accountBrakeMs(failures: number): number {
  if (failures <= freeAccountFailures) return 0;
  return Math.min(longestBrakeMs, firstDelayMs * 2 ** Math.min(30, failures - freeAccountFailures - 1));
}

/** Failed sign-ins of one account from one place: an address, or a device on which it is known. */
export interface PairTries {
  readonly failures: number;
  /** Time since the last of them. */
  readonly sinceMs: number;
}

/** Facts of a sign-in attempt, before its password is checked. */
export interface SignInFacts {
  readonly isKnownDevice: boolean;
  /** Of this account from this place. */
  readonly pair: PairTries;
  /** Until when the account slows down, by failures from anywhere. */
  readonly brakedForMs: number;
}

/**
 * Whether to check the password of an attempt, and after which delay. Failures from elsewhere never refuse a device on
 * which the account is known: its owner cannot be locked out.
 */
export function judgeAttempt({ isKnownDevice, pair, brakedForMs }: SignInFacts): {
  readonly isRefused: boolean;
  readonly delayMs: number;
} {
  if (lockoutDelayMs(pair.failures) > pair.sinceMs) return { isRefused: true, delayMs: 0 };
  if (brakedForMs <= 0) return { isRefused: false, delayMs: 0 };
  return { isRefused: !isKnownDevice, delayMs: isKnownDevice ? Math.min(brakedForMs, longestDeviceDelayMs) : 0 };
}
