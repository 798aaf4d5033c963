import { readFileSync } from 'node:fs';
import {
  type Logger,
  openTracer,
  readTracingSettings,
  type Tracer,
  type TracingSettings,
} from '@wherry/telemetry';
import { parse } from 'yaml';
import { NodeError } from '../errors.ts';

const kind = 'TracingConfiguration';
const versions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);

/**
 * The tracer of a process whose flag `--tracing-config-file` names a file, upstream's TracingConfiguration; without one, the
 * tracer that does nothing. Rejects with `NodeError` `bad-settings` for a bad file and for packages that are missing.
 */
export async function roleTracer(
  path: string | undefined,
  { service, logger }: { service: string; logger: Logger },
): Promise<Tracer> {
  const settings = path === undefined ? undefined : readFile(path);
  return openTracer(settings, { service, logger }).catch((error: unknown) => {
    throw wrong(path, error);
  });
}

function readFile(path: string): TracingSettings {
  try {
    const document: unknown = parse(readFileSync(path, 'utf8'));
    const { apiVersion, kind: given } = (document ?? {}) as { apiVersion?: unknown; kind?: unknown };
    if (given !== kind || !versions.some((version) => version === apiVersion))
      throw new Error(`it is no ${kind} of ${versions.join(', ')}`);
    return readTracingSettings(document);
  } catch (error) {
    throw wrong(path, error);
  }
}

const wrong = (path: string | undefined, error: unknown) =>
  new NodeError(
    'bad-settings',
    `--tracing-config-file ${JSON.stringify(path)}: ${(error as Error).message}`,
    {
      cause: error,
    },
  );

/** Such a file. */
export const tracingDocument = (settings: TracingSettings) => ({
  apiVersion: versions[0],
  kind,
  ...settings,
});
