import { InvalidInput } from "@butler/std";
import lock from "../tools.lock.json" with { type: "json" };

/**
 * Where a project publishes its programs. Templates support {version}, {number} (without the v), {os}, {arch} and
 * {name}.
 */
export interface ReleaseTemplate {
  readonly baseUrl: string;
  /** The environment variable with a mirror that replaces `baseUrl`. */
  readonly mirrorVariable: string;
  readonly path: string;
  /** A file with one bare SHA-256, or a list of checksums and file names. */
  readonly checksumPath: string;
  /** The program's path inside the archive; undefined when the download is the program itself. */
  readonly member?: string;
  /** The size of the download, if it is an archive of several programs. */
  readonly megabytes?: number;
}

/** Common settings of a project's programs. */
export interface Project {
  /** Undefined when the project publishes only source, or no checksums. */
  readonly release?: ReleaseTemplate;
  /** Variables that the linker sets (`-X`) in the project's programs, so that they report their version. */
  readonly linkValues: Readonly<Record<string, string>>;
}

/** How a module's programs are built with cgo. */
export interface CgoBuild {
  readonly tags: readonly string[];
  readonly linkerFlags: string;
  /** The required libraries by their pkg-config name, each with its Debian package. */
  readonly libraries: Readonly<Record<string, string>>;
}

/** A Go module of ours that pins packages in its go.mod and go.sum. */
export interface GoModule {
  /** Relative to the engine's own directory. */
  readonly directory: string;
  /** Undefined for programs in pure Go. */
  readonly cgo?: CgoBuild;
}

/** A program as pinned in the lock file. */
export interface LockedTool {
  readonly project: string;
  /** The Go module that pins the package; `engine` by default. */
  readonly module?: string;
  readonly version: string;
  /** The package for `go build`. */
  readonly package: string;
  /** Arguments that make the program print its version and exit. */
  readonly versionArguments: readonly string[];
  /** Templates of its expected output; by default its version number. */
  readonly expectedOutput?: readonly string[];
  /** Weight of a build: seconds that it adds to a cold build of all tools on two CPUs. */
  readonly buildSeconds: number;
  /** Weight of a download, and the basis of its size limit. */
  readonly megabytes: number;
}

/** The content of `tools.lock.json`; tools are listed in the order in which a starting engine needs them. */
export interface ToolsLock {
  readonly modules: Readonly<Record<string, GoModule>>;
  readonly projects: Readonly<Record<string, Project>>;
  readonly tools: Readonly<Record<string, LockedTool>>;
}

/** A program with its name, its project and the module that pins it. */
export interface Tool extends Omit<LockedTool, "project" | "module"> {
  readonly name: string;
  readonly project: Project;
  readonly module: GoModule;
}

/** The programs that this version of Butler can install. */
export type ToolName = keyof typeof lock.tools;

/** The lock file of this version of Butler. */
export const toolsLock: ToolsLock = lock;

/** Every program of the lock file, in order of need. */
export const toolNames = Object.keys(lock.tools) as readonly ToolName[];

/** The requested programs, without duplicates, in order of need. */
export function selectTools(from: ToolsLock, names: readonly string[]): Tool[] {
  const known = Object.keys(from.tools);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new InvalidInput(`unknown tool ${unknown.join(", ")}; known tools: ${known.join(", ")}`);
  }
  return Object.entries(from.tools).flatMap(([name, tool]) => {
    if (!names.includes(name)) return [];
    const moduleName = tool.module ?? "engine";
    const [project, module] = [from.projects[tool.project], from.modules[moduleName]];
    if (project === undefined) throw new InvalidInput(`the lock file has no project ${tool.project} for ${name}`);
    if (module === undefined) throw new InvalidInput(`the lock file has no module ${moduleName} for ${name}`);
    return [{ ...tool, name, project, module }];
  });
}

/** The operating system and processor in Go's spelling. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

const goArchitectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", ppc64: "ppc64le" };

/** Translates Node's platform names into Go's. */
export function goPlatform(platform: string = process.platform, arch: string = process.arch): Platform {
  return { os: platform === "win32" ? "windows" : platform, arch: goArchitectures[arch] ?? arch };
}

/** The locations of a tool's release and its checksum. */
export interface ReleaseLocation {
  readonly url: string;
  readonly checksumUrl: string;
  readonly fileName: string;
  readonly member: string | undefined;
  /** Approximate size of the download. */
  readonly megabytes: number;
}

/**
 * Fills in a project's templates for one tool, with a mirror from the environment instead of the base URL. Undefined
 * when there is no release.
 */
export function releaseLocation(
  tool: Tool,
  platform: Platform,
  environment: Readonly<Record<string, string | undefined>>,
): ReleaseLocation | undefined {
  const { release } = tool.project;
  if (release === undefined) return undefined;
  const mirror = environment[release.mirrorVariable];
  const baseUrl = (mirror === undefined || mirror === "" ? release.baseUrl : mirror).replace(/\/+$/, "");
  const fill = (template: string): string => fillTemplate(template, { ...platform, ...templateValues(tool) });
  const url = `${baseUrl}/${fill(release.path)}`;
  return {
    url,
    checksumUrl: `${baseUrl}/${fill(release.checksumPath)}`,
    fileName: url.slice(url.lastIndexOf("/") + 1),
    member: release.member === undefined ? undefined : fill(release.member),
    megabytes: release.megabytes ?? tool.megabytes,
  };
}

/** The expected version output of a tool. */
export function expectedOutputOf(tool: Tool): string[] {
  return (tool.expectedOutput ?? ["{number}"]).map((template) => fillTemplate(template, templateValues(tool)));
}

function templateValues({ name, version }: Tool): Readonly<Record<string, string>> {
  return { name, version, number: version.replace(/^v/, "") };
}

function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, key: string) => {
    const value = values[key];
    if (value === undefined) throw new InvalidInput(`unknown variable {${key}} in the template "${template}"`);
    return value;
  });
}

/** The file name that `go build -o directory/` gives a package: its last element that is not a major version. */
export function builtFileName(packagePath: string): string {
  const elements = packagePath.split("/").filter((element) => element !== "" && element !== ".");
  const last = elements.at(-1) ?? "";
  return /^v[0-9]+$/.test(last) ? (elements.at(-2) ?? last) : last;
}
