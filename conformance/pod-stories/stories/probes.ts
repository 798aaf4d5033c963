import { all, hasEvent, isReady, restarted, type Story, script, stay } from '../story.ts';

const soon = { periodSeconds: 1, failureThreshold: 1, timeoutSeconds: 5 };
const probed = (
  name: string,
  probe: object,
  until: NonNullable<Story['until']> = hasEvent('Unhealthy'),
  text = stay,
): Story => ({
  name,
  spec: { containers: [script(text, probe)] },
  until,
});

/** Probes of every form. */
export const lifecycles: readonly Story[] = [
  probed('ready-by-exec', { readinessProbe: { ...soon, exec: { command: ['true'] } } }, isReady),
  probed('not-ready-by-exec', {
    readinessProbe: { ...soon, exec: { command: ['sh', '-c', 'echo not yet; exit 3'] } },
  }),
  probed('not-ready-by-exec-on-stderr', {
    readinessProbe: { ...soon, exec: { command: ['sh', '-c', 'echo out; echo err >&2; exit 3'] } },
  }),
  probed('not-ready-by-absent-program', { readinessProbe: { ...soon, exec: { command: ['/no/such'] } } }),
  probed('not-ready-by-slow-exec', {
    readinessProbe: { ...soon, periodSeconds: 3, timeoutSeconds: 1, exec: { command: ['sleep', '5'] } },
  }),
  probed('not-ready-by-http-refused', {
    readinessProbe: { ...soon, httpGet: { path: '/healthz', port: 8099 } },
  }),
  probed(
    'not-ready-by-http-404',
    {
      readinessProbe: { ...soon, initialDelaySeconds: 1, httpGet: { path: '/nothing', port: 'web' } },
      ports: [{ name: 'web', containerPort: 8080 }],
    },
    hasEvent('Unhealthy'),
    'httpd -f -p 8080 -h /www',
  ),
  probed(
    'ready-by-http',
    { readinessProbe: { ...soon, failureThreshold: 9, httpGet: { path: '/index.html', port: 8080 } } },
    isReady,
    'httpd -f -p 8080 -h /www',
  ),
  probed('not-ready-by-http-unknown-port', {
    readinessProbe: { ...soon, httpGet: { path: '/', port: 'nowhere' } },
  }),
  probed('not-ready-by-http-unknown-host', {
    readinessProbe: { ...soon, httpGet: { host: 'no-such-host.invalid', path: '/', port: 80 } },
  }),
  probed(
    'not-ready-by-http-no-answer',
    {
      readinessProbe: {
        ...soon,
        periodSeconds: 3,
        timeoutSeconds: 1,
        initialDelaySeconds: 4,
        httpGet: { path: '/', port: 8080 },
      },
    },
    hasEvent('Unhealthy'),
    'nc -l -p 8080 -e sleep 100',
  ),
  probed(
    'not-ready-by-https-of-http',
    {
      readinessProbe: {
        ...soon,
        initialDelaySeconds: 1,
        httpGet: { scheme: 'HTTPS', path: '/', port: 8080 },
      },
    },
    hasEvent('Unhealthy'),
    'httpd -f -p 8080 -h /www',
  ),
  probed('not-ready-by-tcp', { readinessProbe: { ...soon, tcpSocket: { port: 8099 } } }),
  probed('not-ready-by-grpc', { readinessProbe: { ...soon, grpc: { port: 8099 } } }),
  probed(
    'not-ready-by-grpc-of-http',
    { readinessProbe: { ...soon, initialDelaySeconds: 1, grpc: { port: 8080, service: 'named' } } },
    hasEvent('Unhealthy'),
    'httpd -f -p 8080 -h /www',
  ),
  probed(
    'dead-by-exec',
    { livenessProbe: { ...soon, exec: { command: ['false'] } } },
    all(restarted(1), hasEvent('Unhealthy')),
  ),
  probed(
    'dead-by-tcp-with-own-grace',
    { livenessProbe: { ...soon, terminationGracePeriodSeconds: 2, tcpSocket: { port: 8099 } } },
    restarted(1),
    'trap "" TERM; while :; do sleep 0.2; done',
  ),
  probed(
    'not-started',
    { startupProbe: { ...soon, failureThreshold: 2, exec: { command: ['false'] } } },
    restarted(1),
  ),
  probed('not-started-yet', {
    startupProbe: { ...soon, failureThreshold: 99, exec: { command: ['false'] } },
    readinessProbe: { ...soon, exec: { command: ['true'] } },
  }),
  probed(
    'started-then-ready',
    {
      startupProbe: { ...soon, failureThreshold: 9, exec: { command: ['true'] } },
      readinessProbe: { ...soon, exec: { command: ['true'] } },
    },
    isReady,
  ),
  probed('not-ready-by-long-output', {
    readinessProbe: {
      ...soon,
      exec: { command: ['sh', '-c', 'yes 0123456789abcde | head -c 20000; exit 1'] },
    },
  }),
  probed('not-ready-by-odd-output', {
    readinessProbe: { ...soon, exec: { command: ['sh', '-c', 'printf "a\\377b\\n\\n c "; exit 1'] } },
  }),
  probed(
    'probes-by-http-as-they-come',
    {
      readinessProbe: {
        ...soon,
        initialDelaySeconds: 2,
        failureThreshold: 20,
        httpGet: { path: '/a?b=c', port: 8080, httpHeaders: [{ name: 'X-Own', value: 'one' }] },
      },
    },
    isReady,
    'printf "HTTP/1.0 200 OK\\r\\n\\r\\n" | nc -l -p 8080 | sort; while :; do printf "HTTP/1.0 200 OK\\r\\n\\r\\n" | nc -l -p 8080 >/dev/null; done',
  ),
  probed(
    'ready-by-redirect-elsewhere',
    { readinessProbe: { ...soon, failureThreshold: 20, httpGet: { path: '/', port: 8080 } } },
    isReady,
    'while :; do printf "HTTP/1.0 302 Found\\r\\nLocation: http://elsewhere.invalid/\\r\\n\\r\\n" | nc -l -p 8080 >/dev/null; done',
  ),
  probed(
    'not-ready-by-http-500',
    { readinessProbe: { ...soon, initialDelaySeconds: 2, httpGet: { path: '/', port: 8080 } } },
    hasEvent('Unhealthy'),
    'while :; do printf "HTTP/1.0 500 Oh\\r\\n\\r\\nthe body" | nc -l -p 8080 >/dev/null; done',
  ),
  {
    name: 'readiness-gate',
    spec: { readinessGates: [{ conditionType: 'stories.test/gate' }], containers: [script(stay)] },
    until: (seen) => seen.pod.status.containerStatuses?.[0]?.ready,
  },
];
