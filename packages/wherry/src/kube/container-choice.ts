import type { Container, Pod } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';

const defaultContainerAnnotation = 'kubectl.kubernetes.io/default-container';

/** What a container choice needs to know. */
export interface ContainerChoice {
  /** `-c`. */
  wanted?: string | undefined;
  /** Suppresses the notice about a container that was chosen for the user. */
  quiet: boolean;
  warn: (line: string) => void;
}

/**
 * The container that is meant: `-c`, else the one that the pod's annotation names, else the first with a notice.
 * Words as kubectl's (podcmd.go). Throws `CommandError` for a name that the pod does not have.
 */
export function chooseContainer(pod: Pod, { wanted, quiet, warn }: ContainerChoice): Container {
  const all = allContainers(pod);
  if (wanted) {
    const found = all.find(({ container }) => container.name === wanted);
    if (found) return found.container;
    const list = describe(all);
    throw new CommandError(`container ${wanted} is not valid for pod ${pod.metadata.name} out of: ${list}`);
  }
  const annotated = pod.metadata.annotations?.[defaultContainerAnnotation];
  const byAnnotation = all.find(({ container }) => container.name === annotated);
  if (byAnnotation) return byAnnotation.container;
  const [first] = pod.spec.containers;
  if (!first) throw new CommandError(`pod ${pod.metadata.name} has no containers`);
  if (all.length > 1 && !quiet) warn(`Defaulted container "${first.name}" out of: ${describe(all)}`);
  return first;
}

interface Listed {
  container: Container;
  note: '' | ' (ephem)' | ' (init)';
}

function allContainers({ spec }: Pod): Listed[] {
  return [
    ...spec.containers.map((container): Listed => ({ container, note: '' })),
    ...(spec.ephemeralContainers ?? []).map((container): Listed => ({ container, note: ' (ephem)' })),
    ...(spec.initContainers ?? []).map((container): Listed => ({ container, note: ' (init)' })),
  ];
}

const describe = (all: Listed[]) => all.map(({ container, note }) => `${container.name}${note}`).join(', ');
