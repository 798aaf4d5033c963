/** Which registries an entry of a pull secret is for (k8s.io/kubernetes pkg/credentialprovider URLsMatch). */

/** A registry, or a part of one, without a scheme. */
export interface RegistryPlace {
  /** The labels of the host's name. */
  labels: readonly string[];
  port: string;
  /** With its leading slash; '' for all of the registry. */
  path: string;
}

/** Reads `host[:port][/path]`. */
export function registryPlace(text: string): RegistryPlace {
  const [, authority = '', path = ''] = /^([^/?#]*)([^?#]*)/.exec(text) ?? [];
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority) ?? [];
  return { labels: host.split('.'), port, path };
}

/** Whether `place` is meant: label by label, where `*`, `?` and `[a-z]` stand for others; ports alike; the path begins so. */
export function isMeant(entry: RegistryPlace, place: RegistryPlace): boolean {
  return (
    entry.port === place.port &&
    entry.labels.length === place.labels.length &&
    place.path.startsWith(entry.path) &&
    entry.labels.every((pattern, index) => matchesPattern(pattern, place.labels[index] ?? ''))
  );
}

/** What one character has to be; undefined stands for any number of any characters. */
type Step = ((character: string) => boolean) | undefined;

/**
 * Go's filepath.Match for a text without slashes; a pattern that is none matches nothing. Takes at most pattern times
 * text steps: who writes the secret also picks the name that it is matched with.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const steps = stepsOf(pattern);
  if (!steps) return false;
  const characters = [...text];
  let at = 0;
  let step = 0;
  let retry: { at: number; step: number } | undefined;
  while (at < characters.length) {
    const wanted = steps[step];
    if (step < steps.length && wanted === undefined) {
      step += 1;
      retry = { at, step };
    } else if (wanted?.(characters[at] ?? '')) {
      at += 1;
      step += 1;
    } else if (retry) {
      retry = { at: retry.at + 1, step: retry.step };
      ({ at, step } = retry);
    } else return false;
  }
  return steps.slice(step).every((left) => left === undefined);
}

const pieces = /\*|\?|\\(.)|\[(\^?)((?:\\.|[^\]\\])+)\]|([^[\\])/gsuy;

function stepsOf(pattern: string): Step[] | undefined {
  const steps: Step[] = [];
  let end = 0;
  for (const match of pattern.matchAll(pieces)) {
    const [piece, escaped, negation, set, plain] = match;
    end = match.index + piece.length;
    if (piece === '*') steps.push(undefined);
    else if (piece === '?') steps.push(() => true);
    else if (set !== undefined) steps.push(setStep(set, negation === '^'));
    else steps.push((character) => character === (escaped ?? plain));
  }
  return end === pattern.length ? steps : undefined;
}

function setStep(set: string, isNegated: boolean): Step {
  const ranges = [...set.matchAll(/(?:\\(.)|([^\\]))(?:-(?:\\(.)|([^\\])))?/gsu)].map((match) => {
    const low = match[1] ?? match[2] ?? '';
    return [low, match[3] ?? match[4] ?? low] as const;
  });
  return (character) => ranges.some(([low, high]) => low <= character && character <= high) !== isNegated;
}
