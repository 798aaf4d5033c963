import { isAbsolute } from 'node:path';
import type { Clock } from '@wherry/clock';
import { configurationDocument, configVersions } from '../../documents/configuration-document.ts';
import { StrictReader } from '../../documents/strict-reader.ts';
import { WebhookUsers } from '../../webhooks/webhook-users.ts';
import { naming, type PluginConfiguration } from '../plugin-configurations.ts';

/**
 * As whom the webhooks of a WebhookAdmissionConfiguration (apiserver.config.k8s.io/v1) are asked; undefined where it does not say.
 * Throws an Error on what is none, and on a kubeconfig that can't be read.
 */
export function readWebhookUsers(
  given: PluginConfiguration | undefined,
  clock: Clock,
): WebhookUsers | undefined {
  if (!given) return undefined;
  const reader = new StrictReader();
  return naming(given.file, () => {
    const { kubeConfigFile, staticManifestsDir } = configurationDocument(given.document, reader, {
      kind: 'WebhookAdmissionConfiguration',
      apiVersions: configVersions('v1'),
      fields: ['kubeConfigFile', 'staticManifestsDir'],
    });
    if (reader.text('staticManifestsDir', staticManifestsDir) !== '')
      throw new Error(
        'staticManifestsDir needs the feature gate ManifestBasedAdmissionControlConfig, which is off',
      );
    const file = reader.text('kubeConfigFile', kubeConfigFile);
    if (file === '') return undefined;
    if (!isAbsolute(file)) throw new Error('kubeConfigFile must be an absolute file path');
    return new WebhookUsers(file, clock);
  });
}
