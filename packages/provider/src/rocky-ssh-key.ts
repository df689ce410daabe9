/** Key types that OpenSSH on Rocky Linux accepts. */
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
 * An SSH public key as passed to machines: type and key without the comment, which would otherwise be parsed as YAML
 * and as a template by cloud-init. Undefined when the text is not a public key, or starts with options.
 */
export function plainSshKey(text: string): string | undefined {
  if (text.length > longestKey) return undefined;
  const [type = "", key = ""] = text.trim().split(/[ \t]+/);
  if (/[\r\n]/.test(text.trim()) || !keyTypes.has(type) || !/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return undefined;
  return typeInside(key) === type ? `${type} ${key}` : undefined;
}

/** A key starts with its own type, which detects truncated and mixed-up keys (RFC 4253, section 6.6). */
function typeInside(key: string): string {
  const bytes = Buffer.from(key, "base64");
  const lengthBytes = 4;
  if (bytes.length < lengthBytes) return "";
  const end = lengthBytes + bytes.readUInt32BE(0);
  return end < bytes.length ? bytes.toString("latin1", lengthBytes, end) : "";
}
