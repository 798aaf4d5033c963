import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Reference } from '../store/reference.ts';
import { defaultHost, rootOf } from './default-host.ts';
import { allCapabilities, type HostTls, plainTls, type RegistryHost } from './registry-host.ts';
import { complaintOf, parseToml, TomlReader } from './toml.ts';

/** What a mirror is asked for: everything, only what is named by digest, only tags. */
type PullFrom = 'all' | 'digest-only' | 'tag-only';

interface Location {
  /** `host[:port][/path]` that takes the prefix's place; empty leaves the name as it is. */
  location: string;
  insecure: boolean;
}

interface MirrorEntry extends Location {
  pullFrom: PullFrom;
}

interface RegistryEntry extends Location {
  prefix: string;
  blocked: boolean;
  mirrors: MirrorEntry[];
  /** For messages. */
  file: string;
}

/** Files of `registries.conf`, merged: what is said of a prefix later replaces what was said before. */
export class RegistriesConf {
  readonly #entries = new Map<string, RegistryEntry>();
  /** Members that have no effect here. */
  readonly ignored: string[] = [];

  /** Adds a file (containers-registries.conf(5), version 2). Throws `ImageError` INVALID_ARGUMENT. */
  add(file: string, text: string): void {
    const complain = complaintOf(file);
    const top = new TomlReader(parseToml(text, complain), '', complain);
    const tables = top.list('registry');
    for (const table of tables) {
      const entry = readEntry(table, file);
      this.#entries.set(entry.prefix, entry);
    }
    this.ignored.push(
      ...[top, ...tables].flatMap((table) => table.unread()).map((name) => `${file}: ${name}`),
    );
  }

  /**
   * The hosts to ask for an image, mirrors first; undefined when no file speaks of it. Throws `ImageError`
   * PERMISSION_DENIED for a blocked registry.
   */
  hostsFor(reference: Reference, tlsOf: (host: string) => HostTls | undefined): RegistryHost[] | undefined {
    const entry = this.#find(reference.repository);
    if (!entry) return undefined;
    if (entry.blocked)
      throw new ImageError('PERMISSION_DENIED', `images of "${entry.prefix}" are blocked by "${entry.file}"`);
    const wanted = entry.mirrors.filter(
      ({ pullFrom }) =>
        pullFrom === 'all' || (pullFrom === 'digest-only') === (reference.digest !== undefined),
    );
    const mirrors = wanted.map((mirror) => ({
      ...hostAt(mirror, entry.prefix, reference, tlsOf),
      capabilities: new Set(['pull', 'resolve'] as const),
      isMirror: true,
    }));
    return [...mirrors, hostAt(entry, entry.prefix, reference, tlsOf)];
  }

  /** The entry with the longest prefix of a repository's name. */
  #find(repository: string): RegistryEntry | undefined {
    return [...this.#entries.values()]
      .filter(({ prefix }) => matchedLength(prefix, repository) > 0)
      .sort(
        (one, other) => matchedLength(other.prefix, repository) - matchedLength(one.prefix, repository),
      )[0];
  }
}

function readEntry(table: TomlReader, file: string): RegistryEntry {
  const location = trimmed(table.text('location'));
  const prefix = trimmed(table.text('prefix')) || location;
  if (prefix === '') throw table.wrong('location', 'and "prefix" are both missing');
  if (location === '' && !prefix.startsWith('*.'))
    throw table.wrong('location', `of prefix "${prefix}" is missing`);
  const byDigest = table.flag('mirror-by-digest-only') ?? false;
  return {
    prefix,
    location,
    insecure: table.flag('insecure') ?? false,
    blocked: table.flag('blocked') ?? false,
    mirrors: table.list('mirror').map((mirror) => readMirror(mirror, byDigest)),
    file,
  };
}

function readMirror(table: TomlReader, byDigest: boolean): MirrorEntry {
  const location = trimmed(table.text('location'));
  if (location === '') throw table.wrong('location', 'of a mirror is missing');
  const named = table.text('pull-from-mirror') ?? '';
  const known: readonly string[] = ['', 'all', 'digest-only', 'tag-only'];
  if (!known.includes(named))
    throw table.wrong('pull-from-mirror', `is "${named}", want all, digest-only or tag-only`);
  const pullFrom = (named || (byDigest ? 'digest-only' : 'all')) as PullFrom;
  return { location, insecure: table.flag('insecure') ?? false, pullFrom };
}

const trimmed = (text: string | undefined) => (text ?? '').replace(/\/+$/, '');

/** How much of a repository's name a prefix covers; 0 when it does not. */
function matchedLength(prefix: string, repository: string): number {
  const ends = (length: number) => length === repository.length || repository[length] === '/';
  if (prefix.startsWith('*.')) {
    const [domain = ''] = repository.split('/');
    return domain.endsWith(prefix.slice(1)) && domain.length > prefix.length - 1 ? domain.length : 0;
  }
  return repository.startsWith(prefix) && ends(prefix.length) ? prefix.length : 0;
}

function hostAt(
  { location, insecure }: Location,
  prefix: string,
  reference: Reference,
  tlsOf: (host: string) => HostTls | undefined,
): RegistryHost {
  const covered = matchedLength(prefix, reference.repository);
  const name = location === '' ? reference.repository : location + reference.repository.slice(covered);
  const slash = name.indexOf('/');
  const [domain, path] = slash < 0 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)];
  if (path === '')
    throw new ImageError(
      'INVALID_ARGUMENT',
      `"${location}" with "${reference.repository}" names no repository`,
    );
  const own = defaultHost(domain, path);
  const tls = tlsOf(domain) ?? (insecure ? plainTls : own.tls);
  if (!insecure) return { ...own, tls };
  // Insecure: https that nobody verifies, and plain http when it is no https.
  return {
    ...own,
    root: rootOf('http:', domain),
    tls: { ...tls, skipsVerification: true },
    prefersTls: !domain.endsWith(':80'),
    dialTimeoutMs: limits.dialTimeoutMs,
    capabilities: allCapabilities,
  };
}
