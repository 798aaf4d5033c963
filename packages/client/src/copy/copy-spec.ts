import { ClientError } from '../errors.ts';

/** One side of a copy: a local path, or a path in a pod. */
export interface CopySpec {
  namespace?: string;
  /** Undefined for a local path. */
  pod?: string;
  path: string;
}

/**
 * Reads `[[namespace/]pod:]path`; the first colon splits. Throws `ClientError` `bad-argument` with kubectl's words
 * (cp.go).
 */
export function parseCopySpec(text: string): CopySpec {
  const colon = text.indexOf(':');
  if (colon === 0) throw malformed();
  if (colon === -1) return { path: text };
  const path = text.slice(colon + 1);
  const words = text.slice(0, colon).split('/');
  const [first = '', second] = words;
  if (words.length > 2) throw malformed();
  if (second === undefined) return { pod: first, path };
  return { namespace: first, pod: second, path };
}

function malformed(): ClientError {
  return new ClientError(
    'bad-argument',
    'filespec must match the canonical format: [[namespace/]pod:]file/path',
  );
}
