import { shownJson } from '@wherry/bytes';
import type { Container, EnvFromSource, EnvVar, Pod, Probe, Volume } from '@wherry/kubeapi/types';

/** What a container was given, as pairs of a name and its lines. */
export interface ContainerGiven {
  name: string;
  given: [name: string, lines: string[]][];
}

/** What the containers of a pod were given: what they run, with what, and within which bounds. A pure function. */
export function containersGiven({ spec }: Pod): ContainerGiven[] {
  const { containers, initContainers = [], ephemeralContainers = [], volumes = [] } = spec;
  return [...containers, ...initContainers, ...ephemeralContainers].map((container) => ({
    name: container.name,
    given: givenOf(container, volumes).filter(([, lines]) => lines.length > 0),
  }));
}

function givenOf(container: Container, volumes: readonly Volume[]): [string, string[]][] {
  const { command, args, workingDir, ports = [], resources = {}, securityContext = {} } = container;
  const { env = [], envFrom = [], volumeMounts = [] } = container;
  const volumeOf = (name: string) => volumes.find((one) => one.name === name);
  return [
    ['Command', command ? [words(command)] : ["the image's own"]],
    ['Arguments', args ? [words(args)] : []],
    ['Works in', workingDir ? [workingDir] : []],
    [
      'Ports',
      ports.map(
        (port) => `${port.containerPort}/${port.protocol ?? 'TCP'}${port.name ? ` ${port.name}` : ''}`,
      ),
    ],
    ['Requests', amounts(resources.requests)],
    ['Limits', amounts(resources.limits)],
    ['Environment', [...envFrom.map(sourceText), ...env.map(variableText)]],
    [
      'Mounts',
      volumeMounts.map(
        ({ mountPath, name, readOnly, subPath }) =>
          `${mountPath}: ${volumeText(volumeOf(name), name)}${subPath ? `, its ${subPath}` : ''}${readOnly ? ', read only' : ''}`,
      ),
    ],
    ['Liveness probe', probeLines(container.livenessProbe)],
    ['Readiness probe', probeLines(container.readinessProbe)],
    ['Startup probe', probeLines(container.startupProbe)],
    ['Security', leaves(securityContext).map(([name, value]) => `${name}: ${value}`)],
  ];
}

const words = (command: readonly string[]): string =>
  command.map((word) => (/^[-\w./:=,@%+]+$/.test(word) ? word : JSON.stringify(word))).join(' ');

const amounts = (list: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(list).map(([name, amount]) => `${name} ${amount}`);

/** Values that come from elsewhere are named and not read. */
function variableText({ name, value = '', valueFrom }: EnvVar): string {
  if (!valueFrom) return `${name}=${value}`;
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  const from =
    (configMapKeyRef && `key ${configMapKeyRef.key} of config map ${configMapKeyRef.name}`) ??
    (secretKeyRef && `key ${secretKeyRef.key} of secret ${secretKeyRef.name}`) ??
    (fieldRef && `the pod\u2019s ${fieldRef.fieldPath}`) ??
    (resourceFieldRef && `its ${resourceFieldRef.resource}`) ??
    'elsewhere';
  return `${name} from ${from}`;
}

function sourceText({ configMapRef, secretRef, prefix }: EnvFromSource): string {
  const what = configMapRef ? `config map ${configMapRef.name}` : `secret ${secretRef?.name}`;
  return `all of ${what}${prefix ? `, each with ${prefix} in front` : ''}`;
}

function volumeText(volume: Volume | undefined, name: string): string {
  if (!volume) return name;
  const { configMap, secret, persistentVolumeClaim, hostPath } = volume;
  const known =
    (configMap && `config map ${configMap.name}`) ??
    (secret && `secret ${secret.secretName}`) ??
    (persistentVolumeClaim && `claim ${persistentVolumeClaim.claimName}`) ??
    (hostPath && `${hostPath.path} of the node`);
  const kind = Object.keys(volume).find((key) => key !== 'name');
  return known ?? `${name}${kind ? ` (${kind})` : ''}`;
}

function probeLines(probe: Probe | undefined): string[] {
  if (!probe) return [];
  const { httpGet, tcpSocket, exec, grpc } = probe;
  const what =
    (httpGet &&
      `GET ${httpGet.scheme?.toLowerCase() ?? 'http'}://${httpGet.host ?? 'POD'}:${httpGet.port}${httpGet.path ?? '/'}`) ??
    (tcpSocket && `connection to port ${tcpSocket.port}`) ??
    (exec && words(exec.command ?? [])) ??
    (grpc && `gRPC health on port ${grpc.port}`) ??
    '';
  const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1, failureThreshold = 3 } = probe;
  const after = initialDelaySeconds > 0 ? `, ${initialDelaySeconds} s after its start` : '';
  return [
    `${what}, every ${periodSeconds} s${after}; ${timeoutSeconds} s to answer, ${failureThreshold} failures in a row count`,
  ];
}

/** The settings of an object as `a.b` and their values. */
function leaves(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, string][] => {
    const name = path ? `${path}.${key}` : key;
    if (Array.isArray(inner)) return [[name, inner.map((one) => shownJson(one)).join(', ')]];
    return typeof inner === 'object' && inner !== null ? leaves(inner, name) : [[name, shownJson(inner)]];
  });
}
