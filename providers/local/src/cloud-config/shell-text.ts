/** Quotes a text as one word of a POSIX shell, with any characters except NUL. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Encodes bytes as a format of the shell's `printf`, which reproduces them exactly: no program is needed to decode
 * them, and text stays readable. The result is ASCII.
 */
export function printfFormat(bytes: Uint8Array): string {
  let format = "";
  for (const [at, byte] of bytes.entries()) format += at === 0 && byte === dash ? octal(byte) : formatByte(byte);
  return `'${format}'`;
}

const [newline, quote, percent, dash, backslash] = [0x0a, 0x27, 0x25, 0x2d, 0x5c];

function formatByte(byte: number): string {
  if (byte === percent) return "%%";
  if (byte === backslash) return "\\\\";
  const isPlain = byte === newline || (byte >= 0x20 && byte < 0x7f && byte !== quote);
  return isPlain ? String.fromCharCode(byte) : octal(byte);
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, "0")}`;
}
