import { StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';

/** What of a cluster without a metrics server comes is no word about an object. */
export async function withMetrics<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const isServed =
      !(error instanceof StatusError) ||
      error.code !== 404 ||
      error.status.details?.causes?.[0]?.reason !== 'UnexpectedServerResponse';
    if (isServed) throw error;
    throw new CommandError(
      'Metrics API not available; its server, such as metrics-server, is not in this cluster',
      { cause: error },
    );
  }
}

/** Said where nobody has figures yet. */
export const notYet = 'metrics not available yet';
