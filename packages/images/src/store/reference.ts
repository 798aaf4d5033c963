import { ImageError } from '../errors.ts';
import { type Digest, isDigest } from '../layers/digest.ts';

/** A parsed image name. */
export interface Reference {
  /** Domain and path, for example `docker.io/library/busybox`. */
  repository: string;
  /** The host part of the repository. */
  domain: string;
  /** The repository without its host. */
  path: string;
  /** `latest` when neither a tag nor a digest was given; absent when only a digest was. */
  tag?: string | undefined;
  digest?: Digest | undefined;
}

/** The domain that a name without one belongs to, and its place for official images: docker's convention. */
const defaultDomain = 'docker.io';
const officialPrefix = 'library/';

const pathPattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const domainPattern = /^(?:\[[0-9a-fA-F:]+\]|[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?)(?::[0-9]+)?$/;

function splitDomain(name: string): { domain: string; path: string } {
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const hasDomain = /[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first;
  if (!hasDomain) return { domain: defaultDomain, path: slash < 0 ? officialPrefix + name : name };
  const path = name.slice(slash + 1);
  if (first !== defaultDomain && first !== `index.${defaultDomain}`) return { domain: first, path };
  return { domain: defaultDomain, path: path.includes('/') ? path : officialPrefix + path };
}

/**
 * Parses an image name as docker and the kubelet write it (`busybox`, `busybox:1`, `host:5000/a/b@sha256:…`).
 * Throws `ImageError` INVALID_ARGUMENT.
 */
export function parseReference(text: string): Reference {
  const invalid = (why: string) =>
    new ImageError('INVALID_ARGUMENT', `image name "${text}" is not valid: ${why}`);
  const [named = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !isDigest(digest))) {
    throw invalid('what follows "@" must be sha256: and 64 hexadecimal digits');
  }
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const tag = hasTag ? named.slice(colon + 1) : undefined;
  const { domain, path } = splitDomain(hasTag ? named.slice(0, colon) : named);
  if (!domainPattern.test(domain)) throw invalid(`"${domain}" is no host name`);
  if (!pathPattern.test(path)) throw invalid(`"${path}" must be lower-case words joined by . _ - or /`);
  if (tag !== undefined && !tagPattern.test(tag)) throw invalid(`"${tag}" is no tag`);
  return {
    repository: `${domain}/${path}`,
    domain,
    path,
    tag: tag ?? (digest === undefined ? 'latest' : undefined),
    digest,
  };
}

/** The canonical `repository:tag`, or undefined for a name by digest alone. */
export const tagName = ({ repository, tag }: Reference): string | undefined =>
  tag === undefined ? undefined : `${repository}:${tag}`;

/** The canonical `repository@digest`. */
export const digestName = ({ repository }: Pick<Reference, 'repository'>, digest: Digest): string =>
  `${repository}@${digest}`;
