import { CriError } from '../errors.ts';

/** The path of a unix socket: `endpoint` is one, or upstream's form `unix:///path`. Throws INVALID_ARGUMENT for another scheme. */
export function socketPathOf(endpoint: string): string {
  const path = endpoint.replace(/^unix:(\/\/)?/, '');
  if (path !== '' && !/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return path;
  throw new CriError(
    'INVALID_ARGUMENT',
    `endpoint "${endpoint}" is no unix socket; use unix:///path or a path`,
  );
}
