const digestPattern = /@[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/;
const namePattern =
  /^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?$/;

/** Whether the name carries neither a tag nor a digest. */
function isUntagged(image: string): boolean {
  return !image.slice(image.lastIndexOf('/') + 1).includes(':');
}

/** The part of a name behind its registry's, without tag or digest (distribution's reference: splitDockerDomain). */
function repositoryOf(image: string): string {
  const [first = '', ...others] = image.split('/');
  const isRegistry = first === 'localhost' || /[.:]/.test(first) || first !== first.toLowerCase();
  const rest = others.length > 0 && isRegistry ? others.join('/') : image;
  return (rest.includes('/') || rest !== image ? rest : `library/${rest}`).replace(/:.*$/s, '');
}

/** Why a text is no image name, in the words of distribution's reference. */
export function imageNameFault(image: string): string {
  const repository = repositoryOf(image);
  const isLower = repository === repository.toLowerCase();
  return isLower
    ? 'invalid reference format'
    : `invalid reference format: repository name (${repository}) must be lowercase`;
}

/** The name to ask a runtime for: `:latest` is added where tag and digest are missing; undefined when it is no image name. */
export function canonicalImage(image: string): string | undefined {
  const name = image.replace(digestPattern, '');
  if (!namePattern.test(name)) return undefined;
  return name === image && isUntagged(image) ? `${image}:latest` : image;
}
