const digestPattern = /@[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/;
const namePattern =
  /^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?$/;

/** Whether the name carries neither a tag nor a digest. */
function isUntagged(image: string): boolean {
  return !image.slice(image.lastIndexOf('/') + 1).includes(':');
}

/** The name to ask a runtime for: `:latest` is added where tag and digest are missing; undefined when it is no image name. */
export function canonicalImage(image: string): string | undefined {
  const name = image.replace(digestPattern, '');
  if (!namePattern.test(name)) return undefined;
  return name === image && isUntagged(image) ? `${image}:latest` : image;
}
