/** Why claims can't be tried on a node. */
export class AllocationError extends Error {
  override readonly name = 'AllocationError';
}
