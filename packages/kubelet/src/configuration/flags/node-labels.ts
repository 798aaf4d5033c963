import { labelValueFormat, qualifiedName } from '@wherry/kubeapi';
import { isKeptFromKubelets, kubeletLabelNamespaces, kubeletLabels } from '@wherry/podrules';
import { ConfigurationError } from '../configuration-error.ts';

/** Reads `--node-labels`, each `key=value` or several with commas between them. Throws {@link ConfigurationError} as upstream's ValidateKubeletFlags. */
export function readNodeLabels(given: readonly string[]): Record<string, string> {
  const pairs = given
    .flatMap((list) => list.split(','))
    .filter((pair) => pair.trim() !== '')
    .map(pairOf);
  const problems = pairs.flatMap(([pair, key, value]) =>
    problemsOf(key, value).map((why) => `${pair}: ${why}`),
  );
  if (problems.length > 0) throw new ConfigurationError(problems, '--node-labels');
  return Object.fromEntries(pairs.map(([, key, value]) => [key, value ?? '']));
}

function pairOf(pair: string): [pair: string, key: string, value: string | undefined] {
  const equals = pair.indexOf('=');
  if (equals < 0) return [pair, pair.trim(), undefined];
  return [pair, pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
}

function problemsOf(key: string, value: string | undefined): readonly string[] {
  if (value === undefined) return ['is no KEY=VALUE'];
  if (isKeptFromKubelets(key)) {
    const known = `begins with ${kubeletLabelNamespaces.join(' or ')}, or is one of ${kubeletLabels.join(', ')}`;
    return [`a label of Kubernetes' own that a kubelet sets ${known}`];
  }
  return [...qualifiedName(key), ...labelValueFormat(value)];
}
