import { InvalidInput } from "@butler/std";

/** The parts of an image name. */
export interface ImageName {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
}

const component = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const pattern = new RegExp(
  `^([a-zA-Z0-9.-]+(?::[0-9]+)?)/(${component}(?:/${component})*):([A-Za-z0-9_][A-Za-z0-9._-]{0,127})$`,
);

/**
 * Parses a fully qualified name (`registry/repository:tag`). Shorter names are rejected: container runtimes complete
 * them by their own rules, and then look for the image under another name.
 */
export function parseImageName(name: string): ImageName {
  const [, registry, repository, tag] = pattern.exec(name) ?? [];
  const isRegistry = registry === "localhost" || /[.:]/.test(registry ?? "");
  if (registry === undefined || repository === undefined || tag === undefined || !isRegistry) {
    throw new InvalidInput(`"${name}" is not a fully qualified image name`, {
      hint: "Specify the registry, repository and tag, for example registry.example.com/team/program:v1.2.3.",
    });
  }
  return { registry, repository, tag };
}

/** The unique file name of an image's archive in a directory. */
export function archiveFileName(name: string): string {
  const { registry, repository, tag } = parseImageName(name);
  return `${`${registry}/${repository}_${tag}`.replace(/[/:]/g, "_")}.tar`;
}
