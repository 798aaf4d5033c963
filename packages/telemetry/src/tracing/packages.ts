import { TracingPackagesError } from './errors.ts';

/** What of OpenTelemetry is used. */
export interface OtelPackages {
  api: typeof import('@opentelemetry/api');
  sdk: typeof import('@opentelemetry/sdk-trace');
  resources: typeof import('@opentelemetry/resources');
  exporter: typeof import('@opentelemetry/exporter-trace-otlp-grpc');
}

const names = {
  api: '@opentelemetry/api',
  sdk: '@opentelemetry/sdk-trace',
  resources: '@opentelemetry/resources',
  exporter: '@opentelemetry/exporter-trace-otlp-grpc',
};

/** Loads them. Throws {@link TracingPackagesError} where one is missing. */
export async function loadPackages(): Promise<OtelPackages> {
  try {
    const [api, sdk, resources, exporter] = await Promise.all([
      load<OtelPackages['api']>(names.api),
      load<OtelPackages['sdk']>(names.sdk),
      load<OtelPackages['resources']>(names.resources),
      load<OtelPackages['exporter']>(names.exporter),
    ]);
    return { api, sdk, resources, exporter };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new TracingPackagesError(Object.values(names), error);
  }
}

/** By a name that no bundler sees: a bundle is made where the packages are not, and finds them where they are. */
const load = <T>(name: string): Promise<T> => import(name) as Promise<T>;
