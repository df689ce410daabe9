/** A password must be at least this long, and bcrypt looks at no more bytes than the most. */
const leastCharacters = 12;
const mostBytes = 72;

/** Passwords that are tried first by everybody who tries, in lower case without what is put around them. */
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

/** What is wrong with a password, as a sentence; undefined when it will do. */
export function passwordFault(password: string, email: string): string | undefined {
  if (Array.from(password).length < leastCharacters) return `a password needs at least ${leastCharacters} characters`;
  const bytes = new TextEncoder().encode(password).length;
  if (bytes > mostBytes) {
    return `a password may have at most ${mostBytes} bytes, and this one has ${bytes}; letters with accents count twice`;
  }
  const plain = password.trim().toLowerCase();
  const address = email.trim().toLowerCase();
  const [local = ""] = address.split("@");
  if (address !== "" && (plain === address || plain.replaceAll(/[^a-z]/g, "") === local.replaceAll(/[^a-z]/g, ""))) {
    return "a password must not be the e-mail address";
  }
  if (new Set(plain).size < 5) return "a password must have at least five different characters";
  return isWorst(plain) ? "this password is among the first that anybody would try" : undefined;
}

/** Words of the list, however often repeated and with whatever digits and signs around them, and rows of the keyboard. */
function isWorst(plain: string): boolean {
  const letters = plain
    .replaceAll("@", "a")
    .replaceAll("$", "s")
    .replaceAll("0", "o")
    .replaceAll(/[^a-z]/g, "");
  const isRow = "12345678901234567890".includes(plain) || "qwertyuiopasdfghjklzxcvbnm".includes(plain);
  return isRow || worst.some((word) => letters !== "" && letters.replaceAll(word, "") === "");
}

/** So many failures are forgiven at once, since people mistype. */
const freeFailures = 4;
const firstDelayMs = 1_000;
const longestDelayMs = 15 * 60_000;

/** How long an account is closed after so many failed sign-ins in a row: twice as long each time, up to a limit. */
export function lockoutDelayMs(failures: number): number {
  if (failures <= freeFailures) return 0;
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(30, failures - freeFailures - 1));
}
