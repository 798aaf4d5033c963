import { type IncludeObject, invalid, notSupported } from '@wherry/kubeapi';
import type { ResourceRequest } from './request.ts';

/** What of its objects a Table is to have: `includeObject`. Throws 422. */
export function readInclude({ query, media }: ResourceRequest): IncludeObject {
  const text = query.text('includeObject') || 'Metadata';
  if (media.as !== 'Table' || text === 'None' || text === 'Metadata' || text === 'Object')
    return text as IncludeObject;
  const error = notSupported('includeObject', text, ['', 'None', 'Metadata', 'Object']);
  throw invalid({ group: 'meta.k8s.io', kind: 'TableOptions' }, '', [error]);
}
