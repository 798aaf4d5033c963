/** Fields of the configuration that concern the kubelet's own servers and its callers. */

import { samplingRateMax } from '@wherry/telemetry';
import { isTlsCurve, isTlsSuite, tlsVersions } from '@wherry/upgrade';
import { actedOn, noEffect, only, unless, warnedOf } from './claims.ts';
import {
  anything,
  choice,
  collector,
  duration,
  flag,
  keepsZero,
  objects,
  optional,
  text,
  texts,
  whole,
  wholes,
} from './field-types.ts';
import { section } from './section.ts';

const minuteMs = 60_000;
const server = 'kubelet/server/kubelet-server';
const tls = 'upgrade/http/tls-names';
const tracer = 'telemetry/tracing/otlp-tracer';
const diagnostics = 'kubelet/server/diagnostics/diagnostic-routes';

const authentication = section({
  anonymous: section({ enabled: actedOn(keepsZero(flag(false)), 'kubelet/server/access/authentication') }),
  webhook: section({
    enabled: actedOn(keepsZero(flag(true)), 'kubelet/server/access/authentication'),
    cacheTTL: actedOn(duration(2 * minuteMs), 'kubelet/server/access/authentication'),
  }),
  x509: section({ clientCAFile: actedOn(text(), 'kubelet/server/serving-tls') }),
});

const authorization = section({
  mode: actedOn(choice(['Webhook', 'AlwaysAllow'], 'Webhook'), 'kubelet/server/access/authorization'),
  webhook: section({
    cacheAuthorizedTTL: actedOn(duration(5 * minuteMs), 'kubelet/server/access/authorization'),
    cacheUnauthorizedTTL: actedOn(duration(30_000), 'kubelet/server/access/authorization'),
  }),
});

export const servingFields = {
  enableServer: actedOn(keepsZero(flag(true)), 'kubelet/kubelet'),
  address: actedOn(text('0.0.0.0'), server),
  // Zero, which is the default upstream, takes any free port here.
  port: actedOn(keepsZero(whole(10_250, 0, 65_535)), server),
  readOnlyPort: actedOn(whole(0, 0, 65_535), server),
  tlsCertFile: actedOn(text(), 'kubelet/server/serving-certificate'),
  tlsPrivateKeyFile: actedOn(text(), 'kubelet/server/serving-certificate'),
  tlsCipherSuites: unless(actedOn(texts(), tls), (names) => names.every(isTlsSuite), {
    values: 'suites that OpenSSL 3 does not have (RC4, 3DES, CBC with SHA-256)',
    why: 'this suite is not offered',
  }),
  tlsCurvePreferences: unless(actedOn(wholes(), tls), (ids) => ids.every(isTlsCurve), {
    values: 'numbers that Go does not know',
    why: 'there is no such key exchange',
  }),
  tlsMinVersion: actedOn(choice(['', ...tlsVersions], ''), tls),
  rotateCertificates: actedOn(flag(false), 'kubelet/ground/api/api-client'),
  serverTLSBootstrap: actedOn(flag(false), 'kubelet/server/serving-tls'),
  authentication,
  authorization,
  enableDebuggingHandlers: actedOn(keepsZero(flag(true)), server),
  enableContentionProfiling: only(flag(false), 'there is no Go runtime to profile'),
  enableProfilingHandler: actedOn(keepsZero(flag(true)), diagnostics),
  enableDebugFlagsHandler: actedOn(keepsZero(flag(true)), diagnostics),
  enableSystemLogHandler: actedOn(keepsZero(flag(true)), diagnostics),
  enableSystemLogQuery: actedOn(keepsZero(flag(false)), diagnostics),
  healthzPort: actedOn(keepsZero(whole(10_248, 0, 65_535)), server),
  healthzBindAddress: actedOn(text('127.0.0.1'), server),
  streamingConnectionIdleTimeout: actedOn(duration(240 * minuteMs), server),
  showHiddenMetricsForVersion: only(text(), 'no metric is hidden'),
  logging: section({
    format: only(choice(['text', 'json'], 'text'), 'lines of the log are text'),
    flushFrequency: noEffect(anything(), 'each line is written at once'),
    verbosity: warnedOf(whole(0, 0), 'give -v on the command line'),
    vmodule: only(objects(), 'verbosity is one for all modules'),
    options: noEffect(anything(), 'tunes buffers of the two formats of klog'),
  }),
  tracing: optional(
    section({
      endpoint: actedOn(optional(collector()), tracer),
      samplingRatePerMillion: actedOn(optional(whole(0, 0, samplingRateMax)), tracer),
    }),
  ),
};
