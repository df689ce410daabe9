/** The CSRF token of the session; undefined without a session. Over TLS its cookie has a prefix that binds it to this host. */
export function readCsrfToken(cookies: string): string | undefined {
  return readCookie("__Host-butler_csrf", cookies) ?? readCookie("butler_csrf", cookies);
}

/** Value of a cookie that scripts can read; undefined if absent. */
export function readCookie(name: string, cookies: string): string | undefined {
  for (const part of cookies.split(";")) {
    const at = part.indexOf("=");
    if (part.slice(0, Math.max(0, at)).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
