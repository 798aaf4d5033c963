import type { Probe } from '@wherry/kubeapi';
import { list } from '../text/values.ts';

/** How a container is asked how it is, and how often. */
export function probeText(probe: Probe): string {
  return [askedText(probe), timing(probe)].join(' ');
}

function timing(probe: Probe): string {
  const { initialDelaySeconds = 0, timeoutSeconds = 0, periodSeconds = 0 } = probe;
  const { successThreshold = 0, failureThreshold = 0 } = probe;
  const times = `delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s`;
  return `${times} #success=${successThreshold} #failure=${failureThreshold}`;
}

function askedText({ exec, httpGet, tcpSocket, grpc }: Probe): string {
  if (exec) return `exec ${list(exec.command)}`;
  if (httpGet) {
    const { scheme = '', host = '', port, path = '' } = httpGet;
    const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    return `http-get ${scheme.toLowerCase()}://${place}${path.startsWith('/') || path === '' ? '' : '/'}${pathText(path)}`;
  }
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port}`;
  return grpc ? `grpc <pod>:${grpc.port} ${grpc.service ?? ''}` : 'unknown';
}

/** A path as it stands in a URL, as Go's net/url escapes it. */
const pathText = (path: string): string =>
  encodeURIComponent(path)
    .replace(/%(24|26|2B|2C|2F|3A|3B|3D|40)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
