import type { ServiceAccount } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { headLines, metadataLines } from '../text/labels.ts';
import type { Lines } from '../text/lines.ts';

const title = 'Image pull secrets:';

/** A service account, and what its pods pull images with. */
export async function describeServiceAccount(
  account: ServiceAccount,
  surroundings: Surroundings,
): Promise<Lines> {
  const names = (account.imagePullSecrets ?? []).map(({ name = '' }) => name);
  const shown = names.length === 0 ? ['<none>'] : names;
  return [
    ...headLines(account.metadata),
    ...metadataLines(account.metadata),
    ...shown.map((name, at) => `${at === 0 ? title : ' '.repeat(title.length)}\t${name}`),
    ...(await surroundings.events(account)),
  ];
}
