import { LabelMatcher, type Pod, parseLabelSelector } from '@wherry/kubeapi/objects';
import { messageOf } from '../ownership/pod-writes.ts';

/** The pods of a target, and the selector that finds them. */
export interface ChosenPods {
  pods: Pod[];
  text: string;
}

/** Why it is not clear which pods are meant. */
export interface UnclearPods {
  condition: { reason: 'InvalidSelector' | 'AmbiguousSelector'; message: string };
  event: { reason: string; message: string };
}

/** Which pods the target of each autoscaler has: no pod may be two autoscalers'. */
export class TargetSelectors {
  readonly #pods: () => Iterable<Pod>;
  readonly #matchers = new Map<string, LabelMatcher>();

  constructor(pods: () => Iterable<Pod>) {
    this.#pods = pods;
  }

  /** The pods that the target of the autoscaler `key` selects by that text. */
  choose(key: string, text: string): ChosenPods | UnclearPods {
    this.#matchers.delete(key);
    if (text === '') {
      return {
        condition: { reason: 'InvalidSelector', message: "the HPA target's scale is missing a selector" },
        event: { reason: 'SelectorRequired', message: 'selector is required' },
      };
    }
    const matcher = read(text);
    if (!(matcher instanceof LabelMatcher)) return matcher;
    this.#matchers.set(key, matcher);
    const [namespace = ''] = key.split('/');
    const pods = [...this.#pods()].filter(
      ({ metadata }) => metadata.namespace === namespace && matcher.matches(metadata.labels),
    );
    const others = [...this.#matchers]
      .filter(([other]) => other !== key && other.startsWith(`${namespace}/`))
      .filter(([, other]) => pods.some(({ metadata }) => other.matches(metadata.labels)))
      .map(([other]) => other);
    if (others.length === 0) return { pods, text };
    const all = [key, ...others].sort().join(' ');
    const message = `pods by selector ${text} are controlled by multiple HPAs: [${all}]`;
    return unclear('AmbiguousSelector', message);
  }

  forget(key: string): void {
    this.#matchers.delete(key);
  }
}

const unclear = (reason: UnclearPods['condition']['reason'], message: string): UnclearPods => ({
  condition: { reason, message },
  event: { reason, message },
});

/** Whoever defined the target's kind says what its selector is: it may be none. */
function read(text: string): LabelMatcher | UnclearPods {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    const message = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`;
    return unclear('InvalidSelector', message);
  }
}
