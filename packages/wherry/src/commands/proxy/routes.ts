import { type AskedPath, behindPrefix, cleanPath, encodedPath } from './request-path.ts';

/** Where a request goes. */
export type Route =
  | { kind: 'api' | 'file'; path: AskedPath }
  | { kind: 'redirect'; location: string }
  | { kind: 'nowhere' };

/** What stands in front of paths of the API and of files; both end with a slash. */
export interface Prefixes {
  api: string;
  /** Undefined where no files are served. */
  files: string | undefined;
}

/** The place that a path means, as Go's ServeMux finds it: the longer prefix first. */
export function routeOf(asked: AskedPath, { api, files }: Prefixes): Route {
  const { decoded, search } = asked;
  const clean = cleanPath(decoded);
  if (clean !== decoded) return { kind: 'redirect', location: `${encodedPath(clean)}${search}` };
  const all = [
    { kind: 'api' as const, prefix: api },
    ...(files === undefined ? [] : [{ kind: 'file' as const, prefix: files }]),
  ].sort((one, other) => other.prefix.length - one.prefix.length);
  const found = all.find(({ prefix }) => decoded.startsWith(prefix));
  const folder = all.find(({ prefix }) => `${decoded}/` === prefix);
  if (folder && folder.prefix.length > (found?.prefix.length ?? 0))
    return { kind: 'redirect', location: `${encodedPath(decoded)}/${search}` };
  if (!found) return { kind: 'nowhere' };
  // A prefix that is the API's own is a part of its paths.
  const isOfApi = found.kind === 'api' && found.prefix.startsWith('/api');
  return { kind: found.kind, path: isOfApi ? asked : behindPrefix(asked, found.prefix) };
}
