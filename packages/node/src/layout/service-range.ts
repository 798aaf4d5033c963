/** Addresses of services. The runtime refuses pods the whole range as long as nothing leads them elsewhere. */
export const serviceRange = '10.96.0.0/16';

/** The address of the service `kubernetes`, by which pods reach the API server: the first of the range. */
export const apiServiceAddress = '10.96.0.1';
