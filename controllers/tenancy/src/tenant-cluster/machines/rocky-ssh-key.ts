/** Kinds of keys that the OpenSSH of Rocky Linux takes. */
const keyTypes = new Set([
  "ssh-ed25519",
  "ssh-rsa",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "sk-ssh-ed25519@openssh.com",
  "sk-ecdsa-sha2-nistp256@openssh.com",
]);

const longestKey = 16_384;

/**
 * An SSH public key as machines are given it: type and key without the comment, which would otherwise be read as YAML and
 * as a template on its way to the machine. Undefined when the text is no public key, or has options before it.
 */
export function plainSshKey(text: string): string | undefined {
  if (text.length > longestKey) return undefined;
  const [type = "", key = ""] = text.trim().split(/[ \t]+/);
  if (/[\r\n]/.test(text.trim()) || !keyTypes.has(type) || !/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return undefined;
  return typeInside(key) === type ? `${type} ${key}` : undefined;
}

/** A key begins with its own type, so that one that was cut off or mixed up is noticed (RFC 4253, section 6.6). */
function typeInside(key: string): string {
  const bytes = Buffer.from(key, "base64");
  const lengthBytes = 4;
  if (bytes.length < lengthBytes) return "";
  const end = lengthBytes + bytes.readUInt32BE(0);
  return end < bytes.length ? bytes.toString("latin1", lengthBytes, end) : "";
}
