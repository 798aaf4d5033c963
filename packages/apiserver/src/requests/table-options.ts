import { badRequest, type IncludeObject } from '@wherry/kubeapi';
import type { ResourceRequest } from './request.ts';

/** What of its objects a Table is to have: `includeObject`. Throws 400. */
export function readInclude({ query, media }: ResourceRequest): IncludeObject {
  const text = query.text('includeObject') || 'Metadata';
  if (media.as !== 'Table' || text === 'None' || text === 'Metadata' || text === 'Object')
    return text as IncludeObject;
  const why = `includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: ${why}`);
}
