import { compilePattern, loadPatternEngine, type Pattern, patternComplaint } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import type { ProxyFlags } from './flags.ts';

/** What of a request decides whether it is passed on. */
export interface FilteredRequest {
  method: string;
  /** Decoded, as the API server will see it. */
  path: string;
  /** Of its Host line, without the port. */
  host: string;
}

/** Which requests may go on to the API server. */
export type RequestFilter = (request: FilteredRequest) => boolean;

/** The filter that flags describe. Throws `CommandError` for what is no regular expression. */
export async function requestFilter(flags: ProxyFlags): Promise<RequestFilter> {
  if (flags.disableFilter) return () => true;
  await loadPatternEngine();
  const rejectedPath = anyOf(flags.rejectPaths);
  const rejectedMethod = anyOf(flags.rejectMethods);
  const acceptedPath = anyOf(flags.acceptPaths);
  const acceptedHost = anyOf(flags.acceptHosts);
  return ({ method, path, host }) =>
    !rejectedPath(path) && !rejectedMethod(method) && acceptedPath(path) && formsOf(host).some(acceptedHost);
}

/** An IPv6 address is written with brackets and without. */
const formsOf = (host: string): string[] => {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return bare.includes(':') ? [bare, `[${bare}]`] : [host];
};

/** The host of a Host line: `localhost`, `[::1]`. */
export const hostOf = (line: string): string => /^(\[.*\]|[^:]*)(?::\d*)?$/.exec(line)?.[1] ?? line;

function anyOf(list: string): (text: string) => boolean {
  const patterns: Pattern[] = (list === '' ? [] : list.split(',')).map((text) => {
    const complaint = patternComplaint(text);
    if (complaint === undefined) return compilePattern(text);
    throw new CommandError(`Error compiling re: ${complaint}`);
  });
  return (text) => patterns.some((pattern) => pattern.matches(text));
}
