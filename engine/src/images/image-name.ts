import { InvalidInput } from "@butler/std";

/** An image name in its parts. */
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
 * Takes a fully qualified name (`registry/repository:tag`) apart. Shorter names are refused: container runtimes complete
 * them by rules of their own, and then look for the image under a name that nobody gave it.
 */
export function parseImageName(name: string): ImageName {
  const [, registry, repository, tag] = pattern.exec(name) ?? [];
  const isRegistry = registry === "localhost" || /[.:]/.test(registry ?? "");
  if (registry === undefined || repository === undefined || tag === undefined || !isRegistry) {
    throw new InvalidInput(`"${name}" is not a fully qualified image name`, {
      hint: "Give registry, repository and tag, as in registry.example.com/team/program:v1.2.3.",
    });
  }
  return { registry, repository, tag };
}

/** The file name that an image's archive goes by: one image, one name, in one folder. */
export function archiveFileName(name: string): string {
  const { registry, repository, tag } = parseImageName(name);
  return `${`${registry}/${repository}_${tag}`.replace(/[/:]/g, "_")}.tar`;
}
