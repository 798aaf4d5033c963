/** A request's target, its path as it came and as it is meant. */
export interface AskedPath {
  raw: string;
  decoded: string;
  /** With its question mark; empty for none. */
  search: string;
}

/** Undefined for what is no path of a server, or one that its two ends could read in different ways. */
export function askedPath(target: string): AskedPath | undefined {
  const [, raw = '', search = ''] = /^(\/[^?]*)(\?.*)?$/s.exec(target) ?? [];
  if (raw === '' || /[\\#]/.test(raw)) return undefined;
  try {
    const decoded = decodeURIComponent(raw);
    return decoded.includes('\0') ? undefined : { raw, decoded, search };
  } catch {
    return undefined;
  }
}

/** A path without empty, `.` and `..` segments, as Go's server redirects to it: what filters look at is what is asked for. */
export function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const isFolder = /\/\.{0,2}$/.test(path);
  return `/${kept.join('/')}${isFolder && kept.length > 0 ? '/' : ''}`;
}

/** A path for a `Location` line. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The path behind a prefix, which always begins with a slash. */
export function behindPrefix({ raw, decoded, search }: AskedPath, prefix: string): AskedPath {
  const behind = decoded.slice(prefix.length - 1);
  const isPlain = raw.startsWith(prefix);
  return { raw: isPlain ? raw.slice(prefix.length - 1) : encodedPath(behind), decoded: behind, search };
}
