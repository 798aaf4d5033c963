import type { HTTPIngressPath, Ingress, IngressBackend, IngressRule, IngressTLS } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { intOrString } from '../../words/int-or-string.ts';

/** Flags of `wherry create ingress`. */
export interface IngressFlags {
  class?: string;
  /** `HOST/PATH=SERVICE:PORT[,tls[=SECRET]]`. */
  rule?: string[];
  /** `SERVICE:PORT`. */
  defaultBackend?: string;
  /** `KEY=VALUE`. */
  annotation?: string[];
}

/** One rule, taken apart. */
interface Rule {
  host: string;
  path: HTTPIngressPath;
  /** The secret of its certificate, nothing for the default one; undefined without TLS. */
  secret: string | undefined;
}

/** An Ingress. Throws `CommandError`. */
export function ingressObject(name: string, flags: IngressFlags): Ingress {
  const { class: className, rule = [], defaultBackend = '', annotation = [] } = flags;
  if (rule.length === 0 && defaultBackend === '') {
    throw new CommandError(
      'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
    );
  }
  const rules = rule.map(parseRule);
  const annotations = Object.fromEntries(annotation.map(parseAnnotation));
  if (defaultBackend !== '' && defaultBackend.split(':').length !== 2)
    throw new CommandError('default-backend should be in format servicename:serviceport');
  const tls = tlsOf(rules);
  return {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
    metadata: { name, ...(annotation.length > 0 ? { annotations } : {}) },
    spec: {
      ...(className ? { ingressClassName: className } : {}),
      ...(defaultBackend === '' ? {} : { defaultBackend: backendOf(defaultBackend) }),
      ...(tls.length > 0 ? { tls } : {}),
      ...(rules.length > 0 ? { rules: rulesOf(rules) } : {}),
    },
  };
}

function parseAnnotation(text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at !== -1) return [text.slice(0, at), text.slice(at + 1)];
  throw new CommandError(`annotation ${text} is invalid and should be in format key=[value]`);
}

const rulePattern = /^([\w*.-]*)(\/.*)=([\w-]+:[\w-]+)(?:,tls(?:=([\w-]+))?)?$/;

function parseRule(text: string): Rule {
  const [, host, path, service, secret = ''] = rulePattern.exec(text) ?? [];
  if (host === undefined || path === undefined || service === undefined) {
    throw new CommandError(
      `rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`,
    );
  }
  const isPrefix = path.endsWith('*');
  const backend = backendOf(service);
  return {
    host,
    path: isPrefix
      ? { path: path.slice(0, -1), pathType: 'Prefix', backend }
      : { path, pathType: 'Exact', backend },
    secret: /,tls(=[\w-]+)?$/.test(text) ? secret : undefined,
  };
}

function backendOf(text: string): IngressBackend {
  const [name = '', portText = ''] = text.split(':');
  const port = intOrString(portText);
  return { service: { name, port: typeof port === 'number' ? { number: port } : { name: port } } };
}

/** The paths of one host are together, where it is named first. */
function rulesOf(rules: readonly Rule[]): IngressRule[] {
  const paths = new Map<string, HTTPIngressPath[]>();
  for (const { host, path } of rules) paths.set(host, [...(paths.get(host) ?? []), path]);
  return [...paths].map(([host, each]) => ({ ...(host === '' ? {} : { host }), http: { paths: each } }));
}

/** The hosts of one secret are together; a host has the one that it is named with first. */
function tlsOf(rules: readonly Rule[]): IngressTLS[] {
  const hosts = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { host, secret } of rules) {
    if (secret === undefined || seen.has(host)) continue;
    seen.add(host);
    hosts.set(secret, [...(hosts.get(secret) ?? []), ...(host === '' ? [] : [host])]);
  }
  return [...hosts]
    .filter(([secret, each]) => secret !== '' || each.length > 0)
    .map(([secretName, each]) => ({
      ...(each.length > 0 ? { hosts: each } : {}),
      ...(secretName === '' ? {} : { secretName }),
    }));
}
