import type { Container, ContainerPort, ContainerStatus, Pod, ResourceRequirements } from '@wherry/kubeapi';
import { goString, textOf } from '../../output/go-values/go-value.ts';
import { quoted } from '../../output/go-values/quoted.ts';
import { field, given, indented, type Lines, section } from '../text/lines.ts';
import { amounts, sortedBy } from '../text/values.ts';
import { environmentLines } from './environment.ts';
import { probeText } from './probe.ts';
import { stateLines } from './state.ts';

/** What {@link containerLines} is told beside the containers. */
export interface ContainersOf {
  /** In front of the title; a template's names stand one further to the right. */
  margin?: string;
  statuses?: readonly ContainerStatus[] | undefined;
  /** Whose they are; a template's are nobody's. */
  pod?: Pod;
}

/** Containers under their title. */
export function containerLines(
  title: string,
  containers: readonly Container[],
  { margin = '', statuses = [], pod }: ContainersOf,
): Lines {
  const head = `${margin}${title}:${containers.length === 0 ? ' <none>' : ''}`;
  const nameMargin = margin === '' ? '  ' : '   ';
  const each = containers.flatMap((container) => {
    const status = statuses.find(({ name }) => name === container.name);
    return [`${nameMargin}${container.name}:`, ...indented(oneContainer(container, { status, pod }), 2)];
  });
  return [head, ...each];
}

function oneContainer(
  container: Container,
  { status, pod }: { status: ContainerStatus | undefined; pod: Pod | undefined },
): Lines {
  const { image = '', command = [], args = [], ports = [], resources, securityContext } = container;
  return [
    ...(status ? [field('Container ID', status.containerID)] : []),
    field('Image', image),
    ...(status ? [field('Image ID', status.imageID)] : []),
    portLine('Port', ports, ({ containerPort }) => containerPort),
    portLine('Host Port', ports, ({ hostPort = 0 }) => hostPort),
    ...seccompLines(securityContext?.seccompProfile, 1),
    ...wordLines('Command', command),
    ...wordLines('Args', args),
    ...(status ? stateLines(status) : []),
    ...resourceLines(resources),
    ...probeLines(container),
    ...environmentLines(container, pod),
    ...mountLines(container),
  ];
}

/** Which system calls are let through; the file of a local profile stands below. */
export function seccompLines(
  profile: { type: string; localhostProfile?: string } | undefined,
  levels: number,
): Lines {
  if (!profile) return [];
  const { type, localhostProfile } = profile;
  const local = type === 'Localhost' ? [field('LocalhostProfile', localhostProfile)] : [];
  return [field('SeccompProfile', type), ...indented(local, levels)];
}

function portLine(
  title: string,
  ports: readonly ContainerPort[],
  number: (port: ContainerPort) => number,
): string {
  const texts = ports.map(
    (port) => `${number(port)}/${port.protocol ?? ''}${port.name ? ` (${port.name})` : ''}`,
  );
  return field(texts.length > 1 ? `${title}s` : title, texts.join(', ') || '<none>');
}

const wordLines = (title: string, words: readonly string[]): Lines =>
  words.length === 0
    ? []
    : section(
        title,
        words.flatMap((word) => word.split('\n')),
      );

/** Limits and requests. */
export function resourceLines({ limits, requests }: ResourceRequirements = {}): Lines {
  const told = (title: string, list: Record<string, string> | undefined) =>
    Object.keys(list ?? {}).length === 0 ? [] : section(title, amounts(list));
  return [...told('Limits', limits), ...told('Requests', requests)];
}

const probeLines = ({ livenessProbe, readinessProbe, startupProbe }: Container): Lines => [
  ...given('Liveness', livenessProbe && probeText(livenessProbe)),
  ...given('Readiness', readinessProbe && probeText(readinessProbe)),
  ...given('Startup', startupProbe && probeText(startupProbe)),
];

function mountLines({ volumeMounts = [], volumeDevices = [] }: Container): Lines {
  const mounts = sortedBy(volumeMounts, ({ mountPath }) => mountPath).map(
    ({ mountPath, name, readOnly, subPath }) => {
      const path = subPath ? `,path=${textOf(quoted(goString(subPath)))}` : '';
      return `${mountPath} from ${name} (${readOnly ? 'ro' : 'rw'}${path})`;
    },
  );
  const devices = sortedBy(volumeDevices, ({ devicePath }) => devicePath).map(
    ({ devicePath, name }) => `${devicePath} from ${name}`,
  );
  // As kubectl has it, which says `<none>` of the mounts again.
  const none = mounts.length === 0 ? '\t<none>' : '';
  return [
    `Mounts:${none}`,
    ...indented(mounts),
    ...(devices.length > 0 ? [`Devices:${none}`, ...indented(devices)] : []),
  ];
}
