import { badRequest, type DeleteOptions } from '@wherry/kubeapi';
import type { Collection } from '../registry/collection.ts';
import type { ResourceRequest } from '../registry/request.ts';
import { readObject } from '../registry/request-object.ts';
import { readWriteOptions } from '../registry/write-options.ts';
import { deleteNamed } from '../registry/writes.ts';

const evictionKind = { group: 'policy', version: 'v1', kind: 'Eviction' };

/** POST of `pods/NAME/eviction`: a deletion that disruption budgets may refuse; none are served here. */
export async function evictPod(pods: Collection, request: ResourceRequest): Promise<void> {
  const writing = readWriteOptions(request.query, 'CreateOptions');
  const eviction = await readObject(request, evictionKind, writing.fieldValidation);
  const { name } = request.info;
  if (eviction.metadata.name && eviction.metadata.name !== name) {
    throw badRequest(`name in URL does not match name in Eviction object`);
  }
  await pods.admission.pass(request, { operation: 'CREATE', object: eviction, dryRun: writing.dryRun });
  const options: DeleteOptions = { ...(eviction['deleteOptions'] as DeleteOptions | undefined) };
  if (writing.dryRun) options.dryRun = ['All'];
  await deleteNamed(pods, request, { name, options, isAdmitted: true });
}
