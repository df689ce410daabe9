/** The platform of a package, as in the os, cpu and libc fields of package.json. */
export interface Platform {
  readonly os?: readonly string[];
  readonly cpu: readonly string[];
  readonly libc?: readonly string[];
}

const systems = "aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32";
const processors = "arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64";
const interfaces = "eabi|gnueabihf|gnu|msvc|musleabihf|musl";
const platformName = new RegExp(`(?:^|[/-])(${systems})-(${processors})(?:-(${interfaces}))?$`);

/** Packages for 32-bit ARM declare no libc in their package.json, although their names do. */
const libraries: Readonly<Record<string, string>> = { gnu: "glibc", musl: "musl" };

/** The platform in the name suffix of a binary package, or undefined. */
export function platformOfName(name: string): Platform | undefined {
  if (name.endsWith("wasm32-wasi")) return { cpu: ["wasm32"] };
  const [, system, processor, abi] = platformName.exec(name) ?? [];
  if (system === undefined || processor === undefined) return undefined;
  const library = libraries[abi ?? ""];
  return { os: [system], cpu: [processor], ...(library !== undefined && { libc: [library] }) };
}
