import type { KubeObject } from '@wherry/client';
import { ConformError, conform, type JsonObject, schemaFor } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import type { FoundManifest } from './manifests.ts';

/** The object of a file, of a built-in kind, as a server would tell of it. Throws `CommandError`. */
export function typedManifest({ object, place, source }: FoundManifest): KubeObject {
  const { apiVersion, kind } = object;
  const schema = schemaFor(apiVersion, kind);
  if (!schema) {
    throw new CommandError(
      `unable to decode "${source}": no kind "${kind}" is registered for version "${apiVersion}"`,
    );
  }
  try {
    return conform(object as unknown as JsonObject, schema).object as unknown as KubeObject;
  } catch (error) {
    if (!(error instanceof ConformError)) throw error;
    throw new CommandError(`${place}: ${error.message}`, { cause: error });
  }
}
