const verbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** What a request asks for, as the authorizer sees it. */
export interface RequestAttributes {
  verb: string;
  /** Subresources of the node, tried in this order until one is allowed. */
  subresources: readonly string[];
}

const rules: readonly [root: string, subresources: readonly string[]][] = [
  ['stats', ['stats']],
  ['metrics', ['metrics']],
  ['logs', ['log']],
  ['checkpoint', ['checkpoint']],
  ['pods', ['pods', 'proxy']],
  ['runningpods', ['pods', 'proxy']],
  ['healthz', ['healthz', 'proxy']],
  ['configz', ['configz', 'proxy']],
  ['statusz', ['statusz']],
  ['flagz', ['configz']],
];

const commandRoots: ReadonlySet<string> = new Set(['exec', 'attach', 'run', 'portForward']);

/**
 * Verb and subresources of a request (KEP-2862). In strict mode a request that runs something in a pod needs `create`
 * whatever its method: a WebSocket exec is a GET, and reading a node must not be enough to act in its pods.
 */
export function requestAttributes(method: string, path: string, strict: boolean): RequestAttributes {
  const root = path.split('/')[1] ?? '';
  const [, subresources = ['proxy']] = rules.find(([name]) => name === root) ?? [];
  const verb = strict && commandRoots.has(root) ? 'create' : (verbs.get(method) ?? '');
  return { verb, subresources };
}
